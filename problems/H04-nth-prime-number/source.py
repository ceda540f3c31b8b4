"""H04: Sieve the numbers below 60 and stop at the Nth prime; the 17th is 59."""

from esoplay.codegen.source import byte, chars, print_int, read_int


def main() -> None:
    left = read_int()
    struck = chars(60)
    number: byte = 1
    while left > 0:
        number += 1
        if struck[number] == 0:
            left -= 1
            multiple = number + number
            while multiple < 60:
                struck[multiple] = 1
                multiple += number
    print_int(number)


if __name__ == "__main__":
    main()
