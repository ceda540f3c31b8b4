declare function require(name: string): any;
const text: string = require("fs").readFileSync(0, "utf8");
console.log(text.split(" ").map((word) => word[0]).join("").toUpperCase());
