"""H03: a sieve: what no smaller number has struck out is prime."""

from esoplay.codegen.source import byte, chars, print_int, read_int


def main() -> None:
    n = byte(read_int())
    struck = chars(101)
    count = 0
    for number in range(2, n + 1):
        if struck[number] == 0:
            count += 1
            multiple = number + number
            while multiple <= n:
                struck[multiple] = 1
                multiple += number
    print_int(count)


if __name__ == "__main__":
    main()
