import sys

line = sys.stdin.read()
longest = 0
for start in range(len(line)):
    for end in range(start + 1, len(line) + 1):
        part = line[start:end]
        if part == part[::-1]:
            longest = max(longest, len(part))
print(longest, end="")
