"""X13: A stack of expected closing brackets."""

from esoplay.codegen.source import byte, chars, getc, puts


def answer(ok: byte) -> None:
    if ok == 1:
        puts("yes")
    else:
        puts("no")


def main() -> None:
    expected = chars(61)
    depth: byte = 0
    nested: byte = 1
    c = getc()
    while c != 0:
        closing: byte = 0
        if c == ord("("):
            closing = ord(")")
        if c == ord("["):
            closing = ord("]")
        if c == ord("{"):
            closing = ord("}")
        if closing != 0:
            depth += 1
            expected[depth] = closing
        elif depth == 0:
            nested = 0
        else:
            if expected[depth] != c:
                nested = 0
            depth -= 1
        c = getc()
    if depth != 0:
        nested = 0
    answer(nested)


if __name__ == "__main__":
    main()
