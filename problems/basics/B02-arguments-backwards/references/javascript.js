const found = process.argv.slice(2).reverse();
console.log(found.map((each) => `[${each}]`).join("") || "none");
