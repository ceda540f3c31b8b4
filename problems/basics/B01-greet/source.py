"""B01: Without a first character there is no name."""

from esoplay.codegen.source import getc, putc, puts


def main() -> None:
    puts("Hi, ")
    c = getc()
    if c == 0:
        puts("you")
    while c != 0:
        putc(c)
        c = getc()
    puts("!")


if __name__ == "__main__":
    main()
