"""E13: Compare each number with the largest so far."""

from esoplay.codegen.source import print_int, read_int


def main() -> None:
    most = read_int()
    for _ in range(2):
        other = read_int()
        if other > most:
            most = other
    print_int(most)


if __name__ == "__main__":
    main()
