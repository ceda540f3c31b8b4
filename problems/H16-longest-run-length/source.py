"""H16: Count each run and store the longest length."""

from esoplay.codegen.source import getc, print_int


def main() -> None:
    longest = 0
    c = getc()
    while c != 0:
        run = 1
        following = getc()
        while following == c:
            run += 1
            following = getc()
        if run > longest:
            longest = run
        c = following
    print_int(longest)


if __name__ == "__main__":
    main()
