"""M02: Count one word for a line that is not empty, and one more for each space."""

from esoplay.codegen.source import getc, print_int


def main() -> None:
    words = 0
    c = getc()
    if c != 0:
        words = 1
    while c != 0:
        if c == ord(" "):
            words += 1
        c = getc()
    print_int(words)


if __name__ == "__main__":
    main()
