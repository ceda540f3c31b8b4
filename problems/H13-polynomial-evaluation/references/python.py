input()
coefficients = [int(word) for word in input().split()]
x = int(input())
value = 0
for coefficient in coefficients:
    value = value * x + coefficient
print(value, end="")
