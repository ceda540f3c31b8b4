base, exponent, modulus = map(int, input().split())
power = 1 % modulus
while exponent > 0:
    if exponent % 2:
        power = power * base % modulus
    base = base * base % modulus
    exponent //= 2
print(power, end="")
