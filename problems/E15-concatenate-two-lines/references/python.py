import sys

first, second = sys.stdin.read().split("\n")
print(first, second, end="")
