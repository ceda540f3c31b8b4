"""M17: a space becomes something else on its way."""

from esoplay.codegen.source import getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        if c == ord(" "):
            c = ord("_")
        putc(c)
        c = getc()


if __name__ == "__main__":
    main()
