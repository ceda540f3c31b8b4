fn number(line: Option<&str>) -> Option<u16> {
    let line = line?;
    let valid = (1..=5).contains(&line.len()) && line.bytes().all(|sign| sign.is_ascii_digit());
    if valid { line.parse().ok() } else { None }
}

fn solve(text: &str) -> Option<u16> {
    let mut lines = text.split('\n');
    let count = number(lines.next()).filter(|count| *count <= 6)?;
    (0..count).try_fold(0u16, |total, _| total.checked_add(number(lines.next())?))
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", solve(&text).map_or("error".to_string(), |value| value.to_string()));
}
