"""H09: a shift to the left is one to the right by what is left of 26."""

from esoplay.codegen.source import byte, getc, putc, read_int


def main() -> None:
    shift = read_int()
    if shift < 0:
        shift = 26 - -shift % 26
    turn = byte(shift % 26)
    c = getc()
    while c != 0:
        c += turn
        if c > ord("z"):
            c -= 26
        putc(c)
        c = getc()


if __name__ == "__main__":
    main()
