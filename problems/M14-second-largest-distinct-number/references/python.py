input()
numbers = [int(word) for word in input().split()]
largest = max(numbers)
print(max(number for number in numbers if number != largest), end="")
