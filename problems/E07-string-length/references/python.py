import sys

length = 0
for _ in sys.stdin.read():
    length += 1
print(length, end="")
