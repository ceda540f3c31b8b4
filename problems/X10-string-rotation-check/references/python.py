import sys

first, second = sys.stdin.read().split("\n")
print("yes" if second in first + first else "no", end="")
