import sys

text = sys.stdin.read()
print(f"<{' '.join(text.split())}>")
