const text = require("fs").readFileSync(0, "utf8");
console.log(text.replace(/[A-Z]/g, (sign) => "_" + sign.toLowerCase()));
