package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func solve(text string) string {
	answer, err := http.Get(strings.TrimSpace(text))
	if err != nil || answer.StatusCode != 200 || answer.Header.Get("X-Tag") == "" {
		return "none"
	}
	return answer.Header.Get("X-Tag")
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(string(text)))
}
