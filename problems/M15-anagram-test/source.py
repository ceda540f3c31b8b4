"""M15: Count the letters of the first line, and subtract those of the second."""

from esoplay.codegen.source import byte, chars, getc, puts


def answer(ok: byte) -> None:
    if ok == 1:
        puts("yes")
    else:
        puts("no")


def main() -> None:
    left = chars(26)
    c = getc()
    while c != ord("\n"):
        left[c - ord("a")] += 1
        c = getc()
    same: byte = 1
    c = getc()
    while c != 0:
        if left[c - ord("a")] == 0:
            same = 0
        else:
            left[c - ord("a")] -= 1
        c = getc()
    for i in range(26):
        if left[i] != 0:
            same = 0
    answer(same)


if __name__ == "__main__":
    main()
