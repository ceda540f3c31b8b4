fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let n: usize = text.trim().parse().unwrap();
    let mut row = vec![1];
    for _ in 0..n {
        row.push(0);
        for at in (1..row.len()).rev() {
            row[at] += row[at - 1];
        }
    }
    println!("{}", row.iter().map(i32::to_string).collect::<Vec<_>>().join(" "));
}
