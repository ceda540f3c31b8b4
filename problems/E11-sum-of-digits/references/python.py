total = 0
n = abs(int(input()))
while n > 0:
    total += n % 10
    n //= 10
print(total, end="")
