"""M20: Mark each character that has occurred."""

from esoplay.codegen.source import chars, getc, print_int


def main() -> None:
    seen = chars(95)
    count = 0
    c = getc()
    while c != 0:
        if seen[c - ord(" ")] == 0:
            seen[c - ord(" ")] = 1
            count += 1
        c = getc()
    print_int(count)


if __name__ == "__main__":
    main()
