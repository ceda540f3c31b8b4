"""B03: Apply the rule until the number is 1, and count the steps."""

from esoplay.codegen.source import print_int, read_int


def main() -> None:
    n = read_int()
    steps = 0
    while n != 1:
        half = n // 2
        if n == half + half:  # noqa: SIM108 - sources have no conditional expressions
            n = half
        else:
            n = n + n + n + 1
        steps += 1
    print_int(steps)


if __name__ == "__main__":
    main()
