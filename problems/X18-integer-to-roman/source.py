"""X18: Write each digit with the three letters of its place."""

from esoplay.codegen.source import chars, putc, read_line


def main() -> None:
    number = chars(4)
    n = read_line(number)
    for i in range(n):
        digit = number[i] - ord("0")
        place = n - i
        one = ord("I")
        five = ord("V")
        ten = ord("X")
        if place == 2:
            one = ord("X")
            five = ord("L")
            ten = ord("C")
        elif place == 3:
            one = ord("C")
            five = ord("D")
            ten = ord("M")
        elif place == 4:
            one = ord("M")
        if digit == 9:
            putc(one)
            putc(ten)
        elif digit == 4:
            putc(one)
            putc(five)
        else:
            if digit >= 5:
                putc(five)
                digit -= 5
            while digit > 0:
                putc(one)
                digit -= 1


if __name__ == "__main__":
    main()
