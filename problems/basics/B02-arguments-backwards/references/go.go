package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) == 1 {
		fmt.Print("none")
	}
	for at := len(os.Args) - 1; at > 0; at-- {
		fmt.Printf("[%s]", os.Args[at])
	}
	fmt.Println()
}
