import sys

text = sys.stdin.read()
shorter = ""
while shorter != text:
    shorter = text
    text = text.replace("()", "").replace("[]", "").replace("{}", "")
print("no" if text else "yes", end="")
