package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

func solve(text string) string {
	letters := ""
	for _, word := range strings.Split(text, " ") {
		letters += word[:1]
	}
	return strings.ToUpper(letters)
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(string(text)))
}
