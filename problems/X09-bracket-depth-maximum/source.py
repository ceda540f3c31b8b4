"""X09: An unmatched closing bracket leaves the depth at 0."""

from esoplay.codegen.source import getc, print_int


def main() -> None:
    depth = 0
    most = 0
    c = getc()
    while c != 0:
        if c == ord("("):
            depth += 1
            if depth > most:
                most = depth
        elif depth > 0:
            depth -= 1
        c = getc()
    print_int(most)


if __name__ == "__main__":
    main()
