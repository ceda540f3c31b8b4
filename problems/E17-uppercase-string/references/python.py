import sys

for c in sys.stdin.read():
    if "a" <= c <= "z":
        c = chr(ord(c) - ord("a") + ord("A"))
    print(c, end="")
