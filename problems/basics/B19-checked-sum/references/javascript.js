const number = (line) => (/^[0-9]{1,5}$/.test(line) && line <= 65535 ? Number(line) : null);
const [count, ...lines] = require("fs").readFileSync(0, "utf8").split("\n");
const many = number(count);
const values = lines.slice(0, many ?? 0).map(number);
const sum = values.reduce((total, each) => total + each, 0);
const wrong = many === null || many > 6 || values.length < many || values.includes(null);
console.log(wrong || sum > 65535 ? "error" : sum);
