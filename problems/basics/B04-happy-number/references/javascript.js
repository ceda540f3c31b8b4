let number = Number(require("fs").readFileSync(0, "utf8"));
while (number !== 1 && number !== 4) {
  number = [...String(number)].reduce((sum, digit) => sum + digit * digit, 0);
}
console.log(number === 1 ? "happy" : "sad");
