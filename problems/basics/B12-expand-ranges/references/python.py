import sys

text = sys.stdin.read()
for part in text.split(","):
    first, _, last = part.partition("-")
    for each in range(int(first), int(last or first) + 1):
        print(each, end=" ")
print()
