"""X01: Divide by 2 and then by odd numbers; a remaining factor above the root is prime."""

from esoplay.codegen.source import byte, print_int, putc, read_int


def main() -> None:
    n = read_int()
    divisor = 2
    first: byte = 1
    while divisor * divisor <= n:
        while n % divisor == 0:
            if first == 0:
                putc(ord(" "))
            first = 0
            print_int(divisor)
            n //= divisor
        if divisor > 2:
            divisor += 1
        divisor += 1
    if n > 1:
        if first == 0:
            putc(ord(" "))
        print_int(n)


if __name__ == "__main__":
    main()
