package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

func common(first, second string) int {
	if first == "" || second == "" {
		return 0
	}
	if first[0] == second[0] {
		return 1 + common(first[1:], second[1:])
	}
	left, right := common(first[1:], second), common(first, second[1:])
	if left > right {
		return left
	}
	return right
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	lines := strings.Split(string(text), "\n")
	fmt.Println(common(lines[0], lines[1]))
}
