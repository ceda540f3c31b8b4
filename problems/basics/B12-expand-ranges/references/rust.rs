fn solve(text: &str) -> String {
    let mut output = String::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        for each in first.parse::<u32>().unwrap()..=last.parse::<u32>().unwrap() {
            output += &format!("{each} ");
        }
    }
    output
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", solve(&text));
}
