"""B13: The answer is the position at which the depth would first be negative."""

from esoplay.codegen.source import getc, print_int, puts


def main() -> None:
    depth = 0
    place = 0
    wrong = 0
    c = getc()
    while c != 0:
        place += 1
        if wrong == 0:
            if c == ord("("):
                depth += 1
            elif depth == 0:
                wrong = place
            else:
                depth -= 1
        c = getc()
    if wrong == 0 and depth > 0:
        wrong = place + 1
    if wrong == 0:
        puts("ok")
    else:
        print_int(wrong)


if __name__ == "__main__":
    main()
