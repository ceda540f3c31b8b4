const url = require("fs").readFileSync(0, "utf8").trim();
const request = require("http").get(url, (answer) => {
  console.log(answer.statusCode);
  answer.resume();
});
request.on("error", () => console.log("error"));
