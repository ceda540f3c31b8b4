"""H17: Count each number from its first position on; the smaller number wins a tie."""

from esoplay.codegen.source import byte, ints, print_int, read_int


def main() -> None:
    n = byte(read_int())
    numbers = ints(10)
    for i in range(n):
        numbers[i] = read_int()
    most: byte = 0
    value = 0
    for i in range(n):
        number = numbers[i]
        count: byte = 1
        for j in range(i + 1, n):
            if numbers[j] == number:
                count += 1
        if count > most or (count == most and number < value):
            most = count
            value = number
    print_int(value)


if __name__ == "__main__":
    main()
