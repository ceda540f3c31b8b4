"""H09: Convert a left shift to the equal right shift modulo 26, then add it to each code."""

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
