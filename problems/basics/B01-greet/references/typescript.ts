declare function require(name: string): any;
const name: string = require("fs").readFileSync(0, "utf8");
console.log(`Hi, ${name || "you"}!`);
