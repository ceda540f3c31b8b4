input()
numbers = [int(word) for word in input().split()]
print(min(numbers, key=lambda number: (-numbers.count(number), number)), end="")
