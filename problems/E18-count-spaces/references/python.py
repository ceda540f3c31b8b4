import sys

print(sum(c == " " for c in sys.stdin.read()), end="")
