"""H08: One counter for each digit."""

from esoplay.codegen.source import chars, getc, print_int, putc


def main() -> None:
    counts = chars(10)
    c = getc()
    while c != 0:
        counts[c - ord("0")] += 1
        c = getc()
    for i in range(10):
        if i > 0:
            putc(ord(" "))
        print_int(counts[i])


if __name__ == "__main__":
    main()
