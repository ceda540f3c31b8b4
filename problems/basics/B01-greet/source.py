"""B01: the first character decides whether there is a name."""

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
