"""B12: The sign after a number decides whether the number begins a range."""

from esoplay.codegen.source import byte, getc, print_int, putc


def show(first: int, last: int) -> None:
    each = first
    while each <= last:
        print_int(each)
        putc(ord(" "))
        each += 1


def main() -> None:
    first = 0
    number = 0
    ranged: byte = 0
    c = getc()
    while c != 0:
        if c == ord("-"):
            first = number
            number = 0
            ranged = 1
        elif c == ord(","):
            if ranged == 0:
                first = number
            show(first, number)
            number = 0
            ranged = 0
        else:
            number = number * 10 + (c - 48)
        c = getc()
    if ranged == 0:
        first = number
    show(first, number)


if __name__ == "__main__":
    main()
