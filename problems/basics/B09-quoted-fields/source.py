"""B09: a quote changes whether commas separate."""

from esoplay.codegen.source import byte, getc, putc


def main() -> None:
    quoted: byte = 0
    c = getc()
    while c != 0:
        if c == ord('"'):
            quoted = 1 - quoted
        elif c == ord(",") and quoted == 0:
            putc(ord(";"))
            putc(10)
        else:
            putc(c)
        c = getc()
    putc(ord(";"))


if __name__ == "__main__":
    main()
