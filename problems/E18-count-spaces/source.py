"""E18: Count the spaces."""

from esoplay.codegen.source import getc, print_int


def main() -> None:
    spaces = 0
    c = getc()
    while c != 0:
        if c == ord(" "):
            spaces += 1
        c = getc()
    print_int(spaces)


if __name__ == "__main__":
    main()
