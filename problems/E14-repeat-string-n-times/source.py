"""E14: Store the text and print it N times."""

from esoplay.codegen.source import byte, chars, putc, read_int, read_line


def main() -> None:
    times = byte(read_int())
    text = chars(20)
    n = read_line(text)
    while times > 0:
        times -= 1
        place: byte = 0
        left = n
        while left > 0:
            left -= 1
            putc(text[place])
            place += 1


if __name__ == "__main__":
    main()
