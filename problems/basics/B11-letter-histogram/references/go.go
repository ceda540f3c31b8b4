package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

func solve(text string) string {
	output := ""
	for _, sign := range "abcdef" {
		if count := strings.Count(text, string(sign)); count > 0 {
			output += fmt.Sprintf("%c%d", sign, count)
		}
	}
	return output
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(string(text)))
}
