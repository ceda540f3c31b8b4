"""E20: Two comparisons distinguish three answers."""

from esoplay.codegen.source import puts, read_int


def main() -> None:
    a = read_int()
    b = read_int()
    if a < b:
        puts("less")
    elif a == b:
        puts("equal")
    else:
        puts("greater")


if __name__ == "__main__":
    main()
