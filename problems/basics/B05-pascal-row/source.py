"""B05: For every row, add to each number the one before it, from right to left."""

from esoplay.codegen.source import byte, chars, print_int, putc, read_int


def main() -> None:
    n = byte(read_int())
    row = chars(11)
    row[0] = 1
    for each in range(1, n + 1):
        place = each
        while place > 0:
            row[place] = row[place] + row[place - 1]
            place -= 1
    print_int(row[0])
    for at in range(1, n + 1):
        putc(ord(" "))
        print_int(row[at])


if __name__ == "__main__":
    main()
