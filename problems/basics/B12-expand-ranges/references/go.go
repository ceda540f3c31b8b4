package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

func solve(text string) string {
	output := ""
	for _, part := range strings.Split(text, ",") {
		ends := strings.Split(part, "-")
		first, _ := strconv.Atoi(ends[0])
		last, _ := strconv.Atoi(ends[len(ends)-1])
		for ; first <= last; first++ {
			output += strconv.Itoa(first) + " "
		}
	}
	return output
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(string(text)))
}
