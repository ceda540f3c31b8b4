"""E12: Replace the first number by the second if that is smaller."""

from esoplay.codegen.source import print_int, read_int


def main() -> None:
    least = read_int()
    other = read_int()
    if other < least:
        least = other
    print_int(least)


if __name__ == "__main__":
    main()
