n = int(input())
factors: list[int] = []
divisor = 2
while n > 1:
    while n % divisor == 0:
        factors.append(divisor)
        n //= divisor
    divisor += 1
print(*factors, end="")
