use std::io::{Read, Write};
use std::net::TcpStream;

fn request(method: &str, url: &str, body: &str) -> Option<(u16, String, String)> {
    let (host, path) = url.strip_prefix("http://")?.split_once('/')?;
    let mut stream = TcpStream::connect(host).ok()?;
    let length = body.len();
    let head = format!("{method} /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    write!(stream, "{head}Content-Length: {length}\r\n\r\n{body}").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, text) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, head.to_string(), text.to_string()))
}

fn solve(text: &str) -> Option<String> {
    let (status, head, _) = request("GET", text.trim(), "")?;
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    let (_, tag) = lines.find(|(name, _)| name.eq_ignore_ascii_case("x-tag"))?;
    (status == 200).then(|| tag.to_string())
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", solve(&text).unwrap_or("none".to_string()));
}
