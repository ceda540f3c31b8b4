"""X15: Go straight on while the next cell is unvisited, otherwise turn right."""

from esoplay.codegen.source import byte, chars, ints, print_int, putc, read_int


def main() -> None:
    rows = byte(read_int())
    columns = byte(read_int())
    cells = ints(25)
    taken = chars(25)
    count = rows * columns
    for k in range(count):
        cells[k] = read_int()
    row: byte = 0
    column: byte = 0
    way: byte = 0
    for k in range(count):
        here = row * columns + column
        taken[here] = 1
        if k > 0:
            putc(ord(" "))
        print_int(cells[here])
        turned: byte = 0
        while turned < 2:
            free: byte = 0
            if way == 0 and column + 1 < columns and taken[here + 1] == 0:
                column += 1
                free = 1
            elif way == 1 and row + 1 < rows and taken[here + columns] == 0:
                row += 1
                free = 1
            elif way == 2 and column > 0 and taken[here - 1] == 0:
                column -= 1
                free = 1
            elif way == 3 and row > 0 and taken[here - columns] == 0:
                row -= 1
                free = 1
            turned += 1
            if free == 1:
                turned = 2
            else:
                way = (way + 1) % 4


if __name__ == "__main__":
    main()
