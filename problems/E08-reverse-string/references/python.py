import sys

print("".join(reversed(sys.stdin.read())), end="")
