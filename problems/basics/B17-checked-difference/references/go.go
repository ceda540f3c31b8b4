package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

func number(line string) (int, bool) {
	for _, sign := range line {
		if sign < '0' || sign > '9' {
			return 0, false
		}
	}
	value, err := strconv.Atoi(line)
	return value, err == nil && len(line) <= 5 && value <= 65535
}

func solve(lines []string) string {
	first, valid := number(lines[0])
	second, also := number(lines[1])
	if !valid || !also || first < second {
		return "error"
	}
	return fmt.Sprint(first - second)
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(strings.Split(string(text), "\n")))
}
