declare function require(name: string): any;
const text: string = require("fs").readFileSync(0, "utf8");
let output = "";
let quoted = false;
for (const sign of text) {
  if (sign === '"') quoted = !quoted;
  else output += sign === "," && !quoted ? ";\n" : sign;
}
console.log(output + ";");
