"""H02: Multiply each term; add it to the total at the next plus or minus."""

from esoplay.codegen.source import ended_by, print_int, read_int


def main() -> None:
    total = 0
    term = read_int()
    sign = ended_by()
    while sign != 0:
        number = read_int()
        if sign == ord("*"):
            term *= number
        else:
            total += term
            term = number
            if sign == ord("-"):
                term = -number
        sign = ended_by()
    print_int(total + term)


if __name__ == "__main__":
    main()
