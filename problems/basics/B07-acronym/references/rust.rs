fn solve(text: &str) -> String {
    text.split(' ').map(|word| word[..1].to_uppercase()).collect()
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", solve(&text));
}
