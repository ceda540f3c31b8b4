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
	count, valid := number(lines[0])
	if !valid || count > 6 || len(lines) <= count {
		return "error"
	}
	sum := 0
	for _, line := range lines[1 : count+1] {
		value, valid := number(line)
		if sum += value; !valid || sum > 65535 {
			return "error"
		}
	}
	return fmt.Sprint(sum)
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(strings.Split(string(text), "\n")))
}
