"""H18: Add the digits modulo 3."""

from esoplay.codegen.source import byte, getc, puts


def answer(ok: byte) -> None:
    if ok == 1:
        puts("yes")
    else:
        puts("no")


def main() -> None:
    rest: byte = 0
    c = getc()
    while c != 0:
        rest = (rest + (c - ord("0"))) % 3
        c = getc()
    divisible: byte = 0
    if rest == 0:
        divisible = 1
    answer(divisible)


if __name__ == "__main__":
    main()
