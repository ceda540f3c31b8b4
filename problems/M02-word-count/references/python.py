import sys

line = sys.stdin.read()
print(line.count(" ") + 1 if line else 0, end="")
