package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func solve(text string) string {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	answer, err := client.Get(strings.TrimSpace(text))
	if err != nil {
		return "error"
	}
	return fmt.Sprint(answer.StatusCode)
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(string(text)))
}
