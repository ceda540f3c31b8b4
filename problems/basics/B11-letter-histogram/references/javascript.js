const text = require("fs").readFileSync(0, "utf8");
console.log([..."abcdef"].map((sign) => [sign, text.split(sign).length - 1]).filter((pair) => pair[1]).flat().join(""));
