"""B10: Print a pending space only before the next letter."""

from esoplay.codegen.source import byte, getc, putc


def main() -> None:
    waiting: byte = 0
    started: byte = 0
    putc(ord("<"))
    c = getc()
    while c != 0:
        if c == ord(" "):
            waiting = 1
        else:
            if waiting == 1 and started == 1:
                putc(ord(" "))
            waiting = 0
            started = 1
            putc(c)
        c = getc()
    putc(ord(">"))


if __name__ == "__main__":
    main()
