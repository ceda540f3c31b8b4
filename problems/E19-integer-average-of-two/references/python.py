a, b = map(int, input().split())
total = a + b
half = abs(total) // 2
print(-half if total < 0 else half, end="")
