"""X07: Extend a palindrome around every middle."""

from esoplay.codegen.source import byte, chars, print_int, read_line


def main() -> None:
    line = chars(16)
    n = read_line(line)
    longest: byte = 0
    for middle in range(n + n):
        left = middle // 2
        right = left + middle % 2
        length: byte = 0
        grows: byte = 1
        while grows == 1 and right < n and line[left] == line[right]:
            length = right - left + 1
            right += 1
            if left == 0:
                grows = 0
            else:
                left -= 1
        if length > longest:
            longest = length
    print_int(longest)


if __name__ == "__main__":
    main()
