import sys

previous = ""
for c in sys.stdin.read():
    if c != previous:
        print(c, end="")
    previous = c
