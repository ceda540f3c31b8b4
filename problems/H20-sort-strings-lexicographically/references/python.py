lines = [input() for _ in range(int(input()))]
print(*sorted(lines), end="")
