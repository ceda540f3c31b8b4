"""M11: Compare the second line at every position of the first."""

from esoplay.codegen.source import byte, chars, print_int, read_line


def main() -> None:
    text = chars(20)
    part = chars(4)
    n = read_line(text)
    m = read_line(part)
    count = 0
    place: byte = 0
    while place + m <= n:
        same: byte = 0
        while same < m and text[place + same] == part[same]:
            same += 1
        if same == m:
            count += 1
        place += 1
    print_int(count)


if __name__ == "__main__":
    main()
