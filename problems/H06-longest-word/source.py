"""H06: Compare each word with the longest so far when it ends."""

from esoplay.codegen.source import byte, chars, putc, read_line


def main() -> None:
    line = chars(51)
    n = read_line(line)
    line[n] = ord(" ")
    start: byte = 0
    best: byte = 0
    longest: byte = 0
    for i in range(n + 1):
        if line[i] == ord(" "):
            if i - start > longest:
                longest = i - start
                best = start
            start = i + 1
    for i in range(longest):
        putc(line[best + i])


if __name__ == "__main__":
    main()
