"""M08: Keep two consecutive numbers of the sequence."""

from esoplay.codegen.source import print_int, read_int


def main() -> None:
    n = read_int()
    before = 0
    number = 1
    while n > 1:
        following = before + number
        before = number
        number = following
        n -= 1
    print_int(number)


if __name__ == "__main__":
    main()
