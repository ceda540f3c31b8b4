first = [int(word) for word in input().split()]
second = [int(word) for word in input().split()]
merged: list[int] = []
while first and second:
    merged.append(first.pop(0) if first[0] <= second[0] else second.pop(0))
print(*merged, *first, *second, end="")
