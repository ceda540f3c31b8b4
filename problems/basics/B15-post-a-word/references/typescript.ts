declare function require(name: string): any;
const [url, word]: string[] = require("fs").readFileSync(0, "utf8").split("\n");
const fail = () => console.log("error");
const request = require("http").request(url, { method: "POST" }, (answer: any) => {
  let body = "";
  answer.on("data", (part: string) => (body += part));
  answer.on("end", () => {
    try {
      const { shout } = JSON.parse(body);
      if (answer.statusCode !== 200 || typeof shout !== "string") throw new Error();
      console.log(shout);
    } catch {
      fail();
    }
  });
});
request.on("error", fail);
request.end(word);
