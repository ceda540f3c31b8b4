import sys

text = sys.stdin.read()
fields, quoted = [""], False
for sign in text:
    if sign == '"':
        quoted = not quoted
    elif sign == "," and not quoted:
        fields.append("")
    else:
        fields[-1] += sign
print("\n".join(f"{field};" for field in fields))
