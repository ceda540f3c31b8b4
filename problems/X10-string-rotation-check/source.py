"""X10: Compare the second line with the first from each starting position."""

from esoplay.codegen.source import byte, chars, puts, read_line


def answer(ok: byte) -> None:
    if ok == 1:
        puts("yes")
    else:
        puts("no")


def main() -> None:
    first = chars(12)
    second = chars(12)
    n = read_line(first)
    read_line(second)
    found: byte = 0
    for start in range(n):
        place = start
        same: byte = 0
        while same < n and first[place] == second[same]:
            same += 1
            place += 1
            if place == n:
                place = 0
        if same == n:
            found = 1
    answer(found)


if __name__ == "__main__":
    main()
