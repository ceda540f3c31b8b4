input()
numbers = [int(word) for word in input().split()]
inversions = 0
for place, later in enumerate(numbers):
    inversions += sum(earlier > later for earlier in numbers[:place])
print(inversions, end="")
