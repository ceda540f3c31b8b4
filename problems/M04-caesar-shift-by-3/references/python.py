import sys

for c in sys.stdin.read():
    print(chr((ord(c) - ord("a") + 3) % 26 + ord("a")), end="")
