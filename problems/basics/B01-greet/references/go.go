package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	text, _ := io.ReadAll(os.Stdin)
	name := string(text)
	if name == "" {
		name = "you"
	}
	fmt.Printf("Hi, %s!\n", name)
}
