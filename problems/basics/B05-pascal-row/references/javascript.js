const n = Number(require("fs").readFileSync(0, "utf8"));
let row = [1];
for (let i = 0; i < n; i++) row = [1, ...row.map((each, at) => each + (row[at + 1] ?? 0))];
console.log(row.join(" "));
