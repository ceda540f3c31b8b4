"""M07: Multiply the numbers from 1 to n."""

from esoplay.codegen.source import print_int, read_int


def main() -> None:
    n = read_int()
    product = 1
    while n > 1:
        product *= n
        n -= 1
    print_int(product)


if __name__ == "__main__":
    main()
