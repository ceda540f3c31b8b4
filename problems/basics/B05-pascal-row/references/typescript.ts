declare function require(name: string): any;
const n: number = Number(require("fs").readFileSync(0, "utf8"));
let row: number[] = [1];
for (let i = 0; i < n; i++) row = [1, ...row.map((each, at) => each + (row[at + 1] ?? 0))];
console.log(row.join(" "));
