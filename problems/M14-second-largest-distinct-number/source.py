"""M14: Keep the two largest distinct numbers."""

from esoplay.codegen.source import byte, print_int, read_int


def main() -> None:
    n = byte(read_int())
    most = read_int()
    second = -10000
    for _ in range(1, n):
        number = read_int()
        if number > most:
            second = most
            most = number
        elif number < most and number > second:
            second = number
    print_int(second)


if __name__ == "__main__":
    main()
