const text = require("fs").readFileSync(0, "utf8");
console.log(text.split(" ").map((word) => word[0]).join("").toUpperCase());
