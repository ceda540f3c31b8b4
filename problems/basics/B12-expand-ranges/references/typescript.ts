declare function require(name: string): any;
const text: string = require("fs").readFileSync(0, "utf8");
let output = "";
for (const part of text.split(",")) {
  const [first, last] = part.split("-");
  for (let each = Number(first); each <= Number(last ?? first); each++) output += each + " ";
}
console.log(output);
