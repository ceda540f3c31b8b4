"""H20: Compare each pair of lines once; the rank of a line is the number of lines before it."""

from esoplay.codegen.source import byte, chars, getc, putc, read_int


def main() -> None:
    n = byte(read_int())
    text = chars(30)
    start = chars(6)
    rank = chars(6)
    end: byte = 0
    for i in range(n):
        start[i] = end
        c = getc()
        while c != ord("\n") and c != 0:
            text[end] = c
            end += 1
            c = getc()
        end += 1
        for j in range(i):
            x = start[j]
            y = start[i]
            while text[x] == text[y] and text[x] != 0:
                x += 1
                y += 1
            if text[x] > text[y]:
                rank[j] += 1
            else:
                rank[i] += 1
    for place in range(n):
        for i in range(n):
            if rank[i] == place:
                if place > 0:
                    putc(ord(" "))
                x = start[i]
                while text[x] != 0:
                    putc(text[x])
                    x += 1


if __name__ == "__main__":
    main()
