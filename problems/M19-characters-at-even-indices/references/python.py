import sys

for at, c in enumerate(sys.stdin.read()):
    if at % 2 == 0:
        print(c, end="")
