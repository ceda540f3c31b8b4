rows, _ = map(int, input().split())
matrix = [input().split() for _ in range(rows)]
spiral: list[str] = []
while matrix:
    spiral += matrix.pop(0)
    matrix = [list(column) for column in zip(*matrix, strict=True)][::-1]  # a quarter to the left
print(*spiral, end="")
