package main

import "fmt"

func main() {
	var number int
	fmt.Scan(&number)
	for number != 1 && number != 4 {
		sum := 0
		for ; number > 0; number /= 10 {
			sum += (number % 10) * (number % 10)
		}
		number = sum
	}
	if number == 1 {
		fmt.Println("happy")
	} else {
		fmt.Println("sad")
	}
}
