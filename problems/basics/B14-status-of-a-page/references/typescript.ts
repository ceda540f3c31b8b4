declare function require(name: string): any;
const url: string = require("fs").readFileSync(0, "utf8").trim();
const request = require("http").get(url, (answer: any) => {
  console.log(answer.statusCode);
  answer.resume();
});
request.on("error", () => console.log("error"));
