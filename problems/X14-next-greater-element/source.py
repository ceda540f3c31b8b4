"""X14: look to the right until something greater comes."""

from esoplay.codegen.source import byte, ints, print_int, putc, puts, read_int


def main() -> None:
    n = byte(read_int())
    numbers = ints(14)
    for i in range(n):
        numbers[i] = read_int()
    for i in range(n):
        number = numbers[i]
        other = i + 1
        while other < n and numbers[other] <= number:
            other += 1
        if i > 0:
            putc(ord(" "))
        if other < n:
            print_int(numbers[other])
        else:
            puts("-1")


if __name__ == "__main__":
    main()
