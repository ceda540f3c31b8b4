declare const process: any;
const found: string[] = process.argv.slice(2).reverse();
console.log(found.map((each) => `[${each}]`).join("") || "none");
