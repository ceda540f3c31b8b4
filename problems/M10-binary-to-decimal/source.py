"""M10: Double the value and add the next digit."""

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
