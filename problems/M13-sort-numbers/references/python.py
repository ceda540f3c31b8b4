input()
numbers = [int(word) for word in input().split()]
numbers.sort()
print(*numbers, end="")
