Read the line into neighbouring cells then print from the last one back to the empty cell before it

>,[>,]<[.<]
