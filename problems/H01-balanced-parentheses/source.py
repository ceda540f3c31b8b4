"""H01: The depth must never be negative and must be 0 at the end."""

from esoplay.codegen.source import byte, getc, puts


def answer(ok: byte) -> None:
    if ok == 1:
        puts("yes")
    else:
        puts("no")


def main() -> None:
    depth = 0
    balanced: byte = 1
    c = getc()
    while c != 0:
        if c == ord("("):
            depth += 1
        else:
            depth -= 1
        if depth < 0:
            balanced = 0
        c = getc()
    if depth != 0:
        balanced = 0
    answer(balanced)


if __name__ == "__main__":
    main()
