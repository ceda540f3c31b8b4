"""M18: Add while reading."""

from esoplay.codegen.source import byte, print_int, read_int


def main() -> None:
    n = byte(read_int())
    total = 0
    for _ in range(n):
        total += read_int()
    print_int(total)


if __name__ == "__main__":
    main()
