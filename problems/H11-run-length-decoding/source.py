"""H11: Read a character and a digit, and print the character that often."""

from esoplay.codegen.source import getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        count = getc() - ord("0")
        for _ in range(count):
            putc(c)
        c = getc()


if __name__ == "__main__":
    main()
