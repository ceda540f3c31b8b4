value = 0
for digit in input():
    value = 2 * value + int(digit)
print(value, end="")
