package main

import (
	"fmt"
	"io"
	"os"
)

func solve(text string) string {
	output, quoted := "", false
	for _, sign := range text {
		switch {
		case sign == '"':
			quoted = !quoted
		case sign == ',' && !quoted:
			output += ";\n"
		default:
			output += string(sign)
		}
	}
	return output + ";"
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(string(text)))
}
