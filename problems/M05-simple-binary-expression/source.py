"""M05: The operator follows the space that ends the first number."""

from esoplay.codegen.source import getc, print_int, read_int


def main() -> None:
    a = read_int()
    sign = getc()
    b = read_int()
    if sign == ord("+"):
        a += b
    elif sign == ord("-"):
        a -= b
    else:
        a *= b
    print_int(a)


if __name__ == "__main__":
    main()
