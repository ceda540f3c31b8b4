fn solve(text: &str) -> String {
    let mut depth = 0;
    for (at, sign) in text.chars().enumerate() {
        depth += if sign == '(' { 1 } else { -1 };
        if depth < 0 {
            return (at + 1).to_string();
        }
    }
    if depth > 0 { (text.len() + 1).to_string() } else { "ok".to_string() }
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", solve(&text));
}
