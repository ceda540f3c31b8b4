"""M12: whatever is no vowel goes out."""

from esoplay.codegen.source import byte, getc, putc


def is_vowel(c: byte) -> byte:
    found: byte = 0
    if c >= ord("A") and c <= ord("Z"):
        c += 32
    if c == ord("a") or c == ord("e") or c == ord("i") or c == ord("o") or c == ord("u"):
        found = 1
    return found


def main() -> None:
    c = getc()
    while c != 0:
        if is_vowel(c) == 0:
            putc(c)
        c = getc()


if __name__ == "__main__":
    main()
