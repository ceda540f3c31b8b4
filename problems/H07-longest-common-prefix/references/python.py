import sys

_, *lines = sys.stdin.read().split("\n")
prefix = lines[0]
for line in lines:
    while not line.startswith(prefix):
        prefix = prefix[:-1]
print(prefix, end="")
