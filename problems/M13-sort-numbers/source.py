"""M13: Insertion sort while reading."""

from esoplay.codegen.source import byte, ints, print_int, putc, read_int


def main() -> None:
    n = byte(read_int())
    sorted_numbers = ints(12)
    for i in range(n):
        number = read_int()
        place = i
        while place > 0 and sorted_numbers[place - 1] > number:
            sorted_numbers[place] = sorted_numbers[place - 1]
            place -= 1
        sorted_numbers[place] = number
    for i in range(n):
        if i > 0:
            putc(ord(" "))
        print_int(sorted_numbers[i])


if __name__ == "__main__":
    main()
