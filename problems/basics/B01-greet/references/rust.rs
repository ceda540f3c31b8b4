fn main() {
    let name = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("Hi, {}!", if name.is_empty() { "you" } else { &name });
}
