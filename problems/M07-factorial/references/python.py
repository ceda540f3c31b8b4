product = 1
for factor in range(2, int(input()) + 1):
    product *= factor
print(product, end="")
