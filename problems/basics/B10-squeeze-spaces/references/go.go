package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

func solve(text string) string {
	return "<" + strings.Join(strings.Fields(text), " ") + ">"
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(string(text)))
}
