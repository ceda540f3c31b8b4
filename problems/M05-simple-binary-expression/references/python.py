left, operator, right = input().split()
a, b = int(left), int(right)
if operator == "+":
    result = a + b
elif operator == "-":
    result = a - b
else:
    result = a * b
print(result, end="")
