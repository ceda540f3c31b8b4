"""X02: Extend the longest increasing subsequence that ends at an earlier, smaller number."""

from esoplay.codegen.source import byte, chars, ints, print_int, read_int


def main() -> None:
    n = byte(read_int())
    numbers = ints(15)
    lengths = chars(15)
    longest: byte = 0
    for i in range(n):
        number = read_int()
        numbers[i] = number
        best: byte = 0
        for j in range(i):
            if lengths[j] > best and numbers[j] < number:
                best = lengths[j]
        lengths[i] = best + 1
        if best + 1 > longest:
            longest = best + 1
    print_int(longest)


if __name__ == "__main__":
    main()
