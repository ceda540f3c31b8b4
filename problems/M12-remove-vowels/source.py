"""M12: Print each character that is not a vowel in either case."""

from esoplay.codegen.source import byte, getc, putc


def main() -> None:
    c = getc()
    while c != 0:
        vowel: byte = 0
        if c == ord("a") or c == ord("e") or c == ord("i") or c == ord("o") or c == ord("u"):
            vowel = 1
        if c == ord("A") or c == ord("E") or c == ord("I") or c == ord("O") or c == ord("U"):
            vowel = 1
        if vowel == 0:
            putc(c)
        c = getc()


if __name__ == "__main__":
    main()
