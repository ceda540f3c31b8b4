"""H07: Shorten the prefix to the part that each further line shares."""

from esoplay.codegen.source import byte, chars, putc, read_int, read_line


def main() -> None:
    n = byte(read_int())
    prefix = chars(12)
    line = chars(12)
    length = read_line(prefix)
    for _ in range(1, n):
        end = read_line(line)
        same: byte = 0
        while same < length and same < end and line[same] == prefix[same]:
            same += 1
        length = same
    for i in range(length):
        putc(prefix[i])


if __name__ == "__main__":
    main()
