import sys

text = sys.stdin.read()
depth, wrong = 0, None
for place, sign in enumerate(text, 1):
    depth += 1 if sign == "(" else -1
    if depth < 0:
        wrong = place
        break
print(wrong or (len(text) + 1 if depth else "ok"))
