fn solve(text: &str) -> String {
    let (mut output, mut quoted) = (String::new(), false);
    for sign in text.chars() {
        match sign {
            '"' => quoted = !quoted,
            ',' if !quoted => output.push_str(";\n"),
            _ => output.push(sign),
        }
    }
    output + ";"
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", solve(&text));
}
