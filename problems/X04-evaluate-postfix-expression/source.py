"""X04: A stack of numbers: each operator pops two and pushes one."""

from esoplay.codegen.source import byte, divide, getc, ints, print_int


def main() -> None:
    stack = ints(12)
    depth: byte = 0
    c = getc()
    while c != 0:
        if c >= ord("0") and c <= ord("9"):
            stack[depth] = c - ord("0")
            depth += 1
        elif c != ord(" "):
            depth -= 1
            right = stack[depth]
            left = stack[depth - 1]
            if c == ord("+"):
                left += right
            elif c == ord("-"):
                left -= right
            elif c == ord("*"):
                left *= right
            else:
                left = divide(left, right)
            stack[depth - 1] = left
        c = getc()
    print_int(stack[0])


if __name__ == "__main__":
    main()
