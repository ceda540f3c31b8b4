fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let mut number: u32 = text.trim().parse().unwrap();
    while number != 1 && number != 4 {
        number = number.to_string().bytes().map(|digit| (digit - b'0') as u32).map(|d| d * d).sum();
    }
    println!("{}", if number == 1 { "happy" } else { "sad" });
}
