import sys

print("_".join(sys.stdin.read().split(" ")), end="")
