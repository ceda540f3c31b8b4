"""X17: Subtract a letter before a greater one, add all others."""

from esoplay.codegen.source import getc, print_int


def main() -> None:
    total = 0
    before = 0
    c = getc()
    while c != 0:
        value = 1
        if c == ord("V"):
            value = 5
        elif c == ord("X"):
            value = 10
        elif c == ord("L"):
            value = 50
        elif c == ord("C"):
            value = 100
        elif c == ord("D"):
            value = 500
        elif c == ord("M"):
            value = 1000
        if before < value:
            total -= before
        else:
            total += before
        before = value
        c = getc()
    print_int(total + before)


if __name__ == "__main__":
    main()
