import sys

line = sys.stdin.read()
left, right = 0, len(line) - 1
while left < right and line[left] == line[right]:
    left += 1
    right -= 1
print("yes" if left >= right else "no", end="")
