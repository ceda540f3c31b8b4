"""X03: Multiply one row by one column."""

from esoplay.codegen.source import byte, ints, print_int, read_int


def main() -> None:
    rows = byte(read_int())
    inner = byte(read_int())
    columns = byte(read_int())
    a = ints(16)
    b = ints(16)
    for k in range(rows * inner):
        a[k] = read_int()
    for k in range(inner * columns):
        b[k] = read_int()
    i = byte(read_int())
    j = byte(read_int())
    total = 0
    for k in range(inner):
        total += a[i * inner + k] * b[k * columns + j]
    print_int(total)


if __name__ == "__main__":
    main()
