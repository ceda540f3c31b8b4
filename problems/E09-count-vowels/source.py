"""E09: one more for each vowel, capitals made small first."""

from esoplay.codegen.source import byte, getc, print_int


def is_vowel(c: byte) -> byte:
    found: byte = 0
    if c >= ord("A") and c <= ord("Z"):
        c += 32
    if c == ord("a") or c == ord("e") or c == ord("i") or c == ord("o") or c == ord("u"):
        found = 1
    return found


def main() -> None:
    count = 0
    c = getc()
    while c != 0:
        if is_vowel(c) == 1:
            count += 1
        c = getc()
    print_int(count)


if __name__ == "__main__":
    main()
