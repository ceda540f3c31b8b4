import sys

total = 0
for c in sys.stdin.read():
    total += ord(c)
print(total, end="")
