package main

import (
	"fmt"
	"io"
	"os"
	"unicode"
)

func solve(text string) string {
	name := ""
	for _, sign := range text {
		if unicode.IsUpper(sign) {
			name += "_"
		}
		name += string(unicode.ToLower(sign))
	}
	return name
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(string(text)))
}
