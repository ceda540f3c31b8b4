package main

import (
	"fmt"
	"io"
	"os"
)

func solve(text string) string {
	depth := 0
	for at, sign := range text {
		if sign == '(' {
			depth++
		} else {
			depth--
		}
		if depth < 0 {
			return fmt.Sprint(at + 1)
		}
	}
	if depth > 0 {
		return fmt.Sprint(len(text) + 1)
	}
	return "ok"
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(string(text)))
}
