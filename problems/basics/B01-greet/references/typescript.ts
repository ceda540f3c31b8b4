declare function require(name: string): any;
const given: string = require("fs").readFileSync(0, "utf8");
console.log(`Hi, ${given || "you"}!`);
