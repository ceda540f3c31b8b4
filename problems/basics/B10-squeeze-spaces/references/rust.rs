fn solve(text: &str) -> String {
    format!("<{}>", text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", solve(&text));
}
