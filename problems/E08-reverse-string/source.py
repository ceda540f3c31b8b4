"""E08: Store the line, then print it from the end."""

from esoplay.codegen.source import chars, putc, read_line


def main() -> None:
    line = chars(100)
    n = read_line(line)
    while n > 0:
        n -= 1
        putc(line[n])


if __name__ == "__main__":
    main()
