Write your program here; every
character but the eight commands
is a comment
