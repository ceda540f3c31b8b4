import sys


def number(line):
    valid = 1 <= len(line) <= 5 and line.isascii() and line.isdigit() and int(line) <= 65535
    return int(line) if valid else None


first, second = map(number, sys.stdin.read().split("\n"))
print("error" if first is None or second is None or first < second else first - second)
