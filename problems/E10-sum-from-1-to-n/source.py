"""E10: Compute the sum by its formula."""

from esoplay.codegen.source import print_int, read_int


def main() -> None:
    n = read_int()
    print_int(n * (n + 1) // 2)


if __name__ == "__main__":
    main()
