package main

import "fmt"

func main() {
	var n int
	fmt.Scan(&n)
	value := 1
	for k := 0; k <= n; k++ {
		if k > 0 {
			fmt.Print(" ")
		}
		fmt.Print(value)
		value = value * (n - k) / (k + 1)
	}
	fmt.Println()
}
