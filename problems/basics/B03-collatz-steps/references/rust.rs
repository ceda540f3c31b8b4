fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let mut number: u32 = text.trim().parse().unwrap();
    let mut steps = 0;
    while number != 1 {
        number = if number % 2 == 1 { 3 * number + 1 } else { number / 2 };
        steps += 1;
    }
    println!("{steps}");
}
