fn main() {
    let found: Vec<String> = std::env::args().skip(1).map(|each| format!("[{each}]")).collect();
    let text: String = found.into_iter().rev().collect();
    println!("{}", if text.is_empty() { "none" } else { &text });
}
