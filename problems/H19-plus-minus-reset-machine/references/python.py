import sys

value = 0
for command in sys.stdin.read():
    if command == "+":
        value += 1
    elif command == "-":
        value -= 1
    else:
        value = 0
print(value, end="")
