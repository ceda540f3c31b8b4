const name = require("fs").readFileSync(0, "utf8");
console.log(`Hi, ${name || "you"}!`);
