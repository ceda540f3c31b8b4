fn common(first: &[u8], second: &[u8]) -> usize {
    match (first, second) {
        ([one, first @ ..], [other, second @ ..]) if one == other => 1 + common(first, second),
        ([_, rest @ ..], [_, others @ ..]) => common(rest, second).max(common(first, others)),
        _ => 0,
    }
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let (first, second) = text.split_once('\n').unwrap();
    println!("{}", common(first.as_bytes(), second.as_bytes()));
}
