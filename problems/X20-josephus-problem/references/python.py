from collections import deque

n, k = map(int, input().split())
circle = deque(range(1, n + 1))
while len(circle) > 1:
    circle.rotate(-(k - 1))
    circle.popleft()
print(circle[0], end="")
