const text = require("fs").readFileSync(0, "utf8");
let depth = 0;
let wrong = 0;
for (let at = 0; at < text.length && !wrong; at++) {
  depth += text[at] === "(" ? 1 : -1;
  if (depth < 0) wrong = at + 1;
}
console.log(wrong || (depth ? text.length + 1 : "ok"));
