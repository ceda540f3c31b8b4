"""X14: From right to left, link each number to its next greater one along earlier links."""

from esoplay.codegen.source import byte, chars, ints, print_int, putc, puts, read_int


def main() -> None:
    n = byte(read_int())
    numbers = ints(14)
    greater = chars(14)
    for i in range(n):
        numbers[i] = read_int()
    for before in range(n):
        i = n - 1 - before
        number = numbers[i]
        other = i + 1
        while other < n and numbers[other] <= number:
            other = greater[other]
        greater[i] = other
    for i in range(n):
        if i > 0:
            putc(ord(" "))
        other = greater[i]
        if other < n:
            print_int(numbers[other])
        else:
            puts("-1")


if __name__ == "__main__":
    main()
