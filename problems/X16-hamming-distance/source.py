"""X16: Compare the numbers bit by bit, by halving both."""

from esoplay.codegen.source import print_int, read_int


def main() -> None:
    a = read_int()
    b = read_int()
    differing = 0
    while a + b > 0:
        if a % 2 != b % 2:
            differing += 1
        a //= 2
        b //= 2
    print_int(differing)


if __name__ == "__main__":
    main()
