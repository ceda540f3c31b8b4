"""B11: Count each letter, then print the counts."""

from esoplay.codegen.source import byte, chars, getc, print_int, putc


def main() -> None:
    counts = chars(6)
    c = getc()
    while c != 0:
        counts[c - 97] = counts[c - 97] + 1
        c = getc()
    for at in range(6):
        if counts[at] != 0:
            putc(byte(at + 97))
            print_int(counts[at])


if __name__ == "__main__":
    main()
