"""M16: Store the first line, then alternate its characters with those of the second."""

from esoplay.codegen.source import chars, getc, putc, read_line


def main() -> None:
    first = chars(40)
    n = read_line(first)
    for i in range(n):
        putc(first[i])
        putc(getc())


if __name__ == "__main__":
    main()
