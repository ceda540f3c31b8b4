import sys

longest = ""
for word in sys.stdin.read().split():
    if len(word) > len(longest):
        longest = word
print(longest, end="")
