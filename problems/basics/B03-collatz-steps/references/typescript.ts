declare function require(name: string): any;
let number: number = Number(require("fs").readFileSync(0, "utf8"));
let steps = 0;
for (; number !== 1; steps++) number = number % 2 ? 3 * number + 1 : number / 2;
console.log(steps);
