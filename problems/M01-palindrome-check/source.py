"""M01: Compare characters from both ends up to the middle."""

from esoplay.codegen.source import byte, chars, puts, read_line


def answer(ok: byte) -> None:
    if ok == 1:
        puts("yes")
    else:
        puts("no")


def main() -> None:
    line = chars(40)
    n = read_line(line)
    same: byte = 1
    for i in range(n // 2):
        if line[i] != line[n - 1 - i]:
            same = 0
    answer(same)


if __name__ == "__main__":
    main()
