"""X19: Mark each number in the range; all from 1 to n must be marked."""

from esoplay.codegen.source import byte, chars, puts, read_int


def answer(ok: byte) -> None:
    if ok == 1:
        puts("yes")
    else:
        puts("no")


def main() -> None:
    n = read_int()
    seen = chars(31)
    count = 0
    while count < n:
        number = read_int()
        if number >= 1 and number <= n:
            seen[byte(number)] = 1
        count += 1
    whole: byte = 1
    for i in range(1, byte(n) + 1):
        if seen[i] == 0:
            whole = 0
    answer(whole)


if __name__ == "__main__":
    main()
