"""X11: Compare each number with all earlier ones."""

from esoplay.codegen.source import byte, ints, print_int, read_int


def main() -> None:
    n = byte(read_int())
    numbers = ints(15)
    inversions = 0
    for i in range(n):
        number = read_int()
        numbers[i] = number
        for j in range(i):
            if numbers[j] > number:
                inversions += 1
    print_int(inversions)


if __name__ == "__main__":
    main()
