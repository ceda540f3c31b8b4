"""E14: keep the text, print it as often as is wanted."""

from esoplay.codegen.source import byte, chars, putc, read_int, read_line


def main() -> None:
    times = byte(read_int())
    text = chars(20)
    n = read_line(text)
    for _ in range(times):
        for j in range(n):
            putc(text[j])


if __name__ == "__main__":
    main()
