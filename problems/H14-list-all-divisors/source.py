"""H14: Print each number that divides without remainder."""

from esoplay.codegen.source import byte, print_int, putc, read_int


def main() -> None:
    n = byte(read_int())
    for divisor in range(1, n + 1):
        if n % divisor == 0:
            if divisor > 1:
                putc(ord(" "))
            print_int(divisor)


if __name__ == "__main__":
    main()
