package main

import "fmt"

func main() {
	var number, steps int
	fmt.Scan(&number)
	for ; number != 1; steps++ {
		if number%2 == 1 {
			number = 3*number + 1
		} else {
			number /= 2
		}
	}
	fmt.Println(steps)
}
