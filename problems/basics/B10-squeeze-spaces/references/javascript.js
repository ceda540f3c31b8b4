const text = require("fs").readFileSync(0, "utf8");
console.log(`<${text.split(" ").filter((word) => word).join(" ")}>`);
