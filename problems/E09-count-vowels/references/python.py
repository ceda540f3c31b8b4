import sys

vowels = [c for c in sys.stdin.read() if c in "aeiouAEIOU"]
print(len(vowels), end="")
