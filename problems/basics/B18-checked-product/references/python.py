import sys


def number(line):
    valid = 1 <= len(line) <= 5 and line.isascii() and line.isdigit() and int(line) <= 65535
    return int(line) if valid else None


first, second = map(number, sys.stdin.read().split("\n"))
fits = first is not None and second is not None and first * second <= 65535
print(first * second if fits else "error")
