declare function require(name: string): any;
const number = (line: string | undefined): number | null =>
  line !== undefined && /^[0-9]{1,5}$/.test(line) && Number(line) <= 65535 ? Number(line) : null;
const [first, second] = require("fs").readFileSync(0, "utf8").split("\n").map(number);
console.log(first === null || second === null || first < second ? "error" : first - second);
