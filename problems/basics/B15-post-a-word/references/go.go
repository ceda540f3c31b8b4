package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func solve(text string) string {
	lines := strings.Split(text, "\n")
	answer, err := http.Post(lines[0], "text/plain", strings.NewReader(lines[1]))
	if err != nil || answer.StatusCode != 200 {
		return "error"
	}
	var found struct{ Shout *string }
	if json.NewDecoder(answer.Body).Decode(&found) != nil || found.Shout == nil {
		return "error"
	}
	return *found.Shout
}

func main() {
	text, _ := io.ReadAll(os.Stdin)
	fmt.Println(solve(string(text)))
}
