"""M10: each digit doubles what there is."""

from esoplay.codegen.source import getc, print_int


def main() -> None:
    n = 0
    c = getc()
    while c != 0:
        n += n
        if c == ord("1"):
            n += 1
        c = getc()
    print_int(n)


if __name__ == "__main__":
    main()
