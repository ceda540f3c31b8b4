"""M03: Count equal characters; a different one begins the next run."""

from esoplay.codegen.source import getc, print_int, putc


def main() -> None:
    c = getc()
    while c != 0:
        run = 1
        following = getc()
        while following == c:
            run += 1
            following = getc()
        putc(c)
        print_int(run)
        c = following


if __name__ == "__main__":
    main()
