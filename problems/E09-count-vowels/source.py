"""E09: Count the vowels in both cases."""

from esoplay.codegen.source import byte, getc, print_int


def main() -> None:
    count = 0
    c = getc()
    while c != 0:
        vowel: byte = 0
        if c == ord("a") or c == ord("e") or c == ord("i") or c == ord("o") or c == ord("u"):
            vowel = 1
        if c == ord("A") or c == ord("E") or c == ord("I") or c == ord("O") or c == ord("U"):
            vowel = 1
        if vowel == 1:
            count += 1
        c = getc()
    print_int(count)


if __name__ == "__main__":
    main()
