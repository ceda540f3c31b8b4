"""H10: Print a character unless it equals the previous one."""

from esoplay.codegen.source import byte, getc, putc


def main() -> None:
    before: byte = 0
    c = getc()
    while c != 0:
        if c != before:
            putc(c)
        before = c
        c = getc()


if __name__ == "__main__":
    main()
