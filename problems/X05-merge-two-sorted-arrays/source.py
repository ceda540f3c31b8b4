"""X05: Store the first line; before each number of the second, print the stored ones up to it."""

from esoplay.codegen.source import byte, ended_by, ints, print_int, putc, read_int


def main() -> None:
    kept = ints(12)
    n: byte = 0
    more: byte = 1
    while more == 1:
        kept[n] = read_int()
        n += 1
        if ended_by() != ord(" "):
            more = 0
    next_one: byte = 0
    more = 1
    while more == 1:
        number = read_int()
        if ended_by() != ord(" "):
            more = 0
        while next_one < n and kept[next_one] <= number:
            print_int(kept[next_one])
            putc(ord(" "))
            next_one += 1
        print_int(number)
        if more == 1 or next_one < n:
            putc(ord(" "))
    while next_one < n:
        print_int(kept[next_one])
        next_one += 1
        if next_one < n:
            putc(ord(" "))


if __name__ == "__main__":
    main()
