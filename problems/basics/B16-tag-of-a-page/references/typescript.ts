declare function require(name: string): any;
const url: string = require("fs").readFileSync(0, "utf8").trim();
require("http").get(url, (answer: any) => {
  const tag: string | undefined = answer.headers["x-tag"];
  console.log(answer.statusCode === 200 && tag !== undefined ? tag : "none");
  answer.resume();
});
