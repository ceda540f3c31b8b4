left, right = map(int, input().split())
print(sum(number.bit_count() for number in range(left, right + 1)), end="")
