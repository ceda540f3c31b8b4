const number = (line) => (/^[0-9]{1,5}$/.test(line) && line <= 65535 ? Number(line) : null);
const [first, second] = require("fs").readFileSync(0, "utf8").split("\n").map(number);
console.log(first === null || second === null || first < second ? "error" : first - second);
