fn solve(text: &str) -> String {
    ('a'..='f')
        .map(|sign| (sign, text.matches(sign).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(sign, count)| format!("{sign}{count}"))
        .collect()
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", solve(&text));
}
