import sys

text = sys.stdin.read()
print("".join(f"{sign}{text.count(sign)}" for sign in sorted(set(text))))
