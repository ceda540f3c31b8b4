"""B06: Compute the table row by row; before is the entry above and to the left."""

from esoplay.codegen.source import byte, chars, print_int, read_line


def main() -> None:
    first = chars(8)
    second = chars(8)
    n = read_line(first)
    m = read_line(second)
    row = chars(9)
    for i in range(n):
        before: byte = 0
        for j in range(m):
            above = row[j + 1]
            if first[i] == second[j]:
                row[j + 1] = before + 1
            elif row[j] > above:
                row[j + 1] = row[j]
            before = above
    print_int(row[m])


if __name__ == "__main__":
    main()
