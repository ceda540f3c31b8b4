const url = require("fs").readFileSync(0, "utf8").trim();
require("http").get(url, (answer) => {
  const tag = answer.headers["x-tag"];
  console.log(answer.statusCode === 200 && tag !== undefined ? tag : "none");
  answer.resume();
});
