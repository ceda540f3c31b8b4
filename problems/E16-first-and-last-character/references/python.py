import sys

line = sys.stdin.read()
print(line[0], line[-1], end="")
