"""H15: Subtract 1 for each step to the left, add 1 for each step to the right."""

from esoplay.codegen.source import getc, print_int


def main() -> None:
    position = 0
    c = getc()
    while c != 0:
        if c == ord("L"):
            position -= 1
        else:
            position += 1
        c = getc()
    print_int(position)


if __name__ == "__main__":
    main()
