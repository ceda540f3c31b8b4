"""H03: Sieve the odd numbers: index i stands for 2 * i + 1; unmarked numbers are prime."""

from esoplay.codegen.source import byte, chars, print_int, read_int


def main() -> None:
    n = byte(read_int())
    last = (n - 1) // 2
    struck = chars(50)
    count = 1
    for i in range(1, last + 1):
        if struck[i] == 0:
            count += 1
            number = 2 * i + 1
            multiple = i + number
            while multiple <= last:
                struck[multiple] = 1
                multiple += number
    print_int(count)


if __name__ == "__main__":
    main()
