import sys

longest = run = 0
previous = ""
for c in sys.stdin.read():
    run = run + 1 if c == previous else 1
    longest = max(longest, run)
    previous = c
print(longest, end="")
