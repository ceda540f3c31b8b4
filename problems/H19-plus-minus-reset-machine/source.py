"""H19: Apply three commands to one value."""

from esoplay.codegen.source import getc, print_int


def main() -> None:
    value = 0
    c = getc()
    while c != 0:
        if c == ord("+"):
            value += 1
        elif c == ord("-"):
            value -= 1
        else:
            value = 0
        c = getc()
    print_int(value)


if __name__ == "__main__":
    main()
