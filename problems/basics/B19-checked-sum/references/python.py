import sys


def number(line):
    valid = 1 <= len(line) <= 5 and line.isascii() and line.isdigit() and int(line) <= 65535
    return int(line) if valid else None


count, *lines = sys.stdin.read().split("\n")
many = number(count)
values = [number(line) for line in lines[: many or 0]]
wrong = many is None or many > 6 or len(values) < many or None in values or sum(values) > 65535
print("error" if wrong else sum(values))
