m, n, _ = map(int, input().split())
a = [[int(word) for word in input().split()] for _ in range(m)]
b = [[int(word) for word in input().split()] for _ in range(n)]
i, j = map(int, input().split())
print(sum(a[i][k] * b[k][j] for k in range(n)), end="")
