declare function require(name: string): any;
const [first, second]: string[] = require("fs").readFileSync(0, "utf8").split("\n");
const common = (i: number, j: number): number => {
  if (i === first.length || j === second.length) return 0;
  if (first[i] === second[j]) return 1 + common(i + 1, j + 1);
  return Math.max(common(i + 1, j), common(i, j + 1));
};
console.log(common(0, 0));
