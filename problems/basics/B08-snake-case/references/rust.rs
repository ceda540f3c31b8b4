fn solve(text: &str) -> String {
    let mut name = String::new();
    for sign in text.chars() {
        if sign.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(sign.to_ascii_lowercase());
    }
    name
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", solve(&text));
}
