"""H05: Add digit by digit from the right, with a carry."""

from esoplay.codegen.source import byte, chars, putc, read_line


def main() -> None:
    a = chars(30)
    b = chars(30)
    total = chars(31)
    n = read_line(a)
    m = read_line(b)
    carry: byte = 0
    count: byte = 0
    while n > 0 or m > 0 or carry > 0:
        digit = carry
        if n > 0:
            n -= 1
            digit += a[n] - ord("0")
        if m > 0:
            m -= 1
            digit += b[m] - ord("0")
        carry = 0
        if digit >= 10:
            carry = 1
            digit -= 10
        total[count] = digit
        count += 1
    while count > 0:
        count -= 1
        putc(total[count] + ord("0"))


if __name__ == "__main__":
    main()
