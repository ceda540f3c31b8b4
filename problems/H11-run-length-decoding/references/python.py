import sys

line = sys.stdin.read()
for at in range(0, len(line), 2):
    print(line[at] * int(line[at + 1]), end="")
