import sys
from collections import Counter

first, second = sys.stdin.read().split("\n")
print("yes" if Counter(first) == Counter(second) else "no", end="")
