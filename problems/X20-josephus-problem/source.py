"""X20: The survivor among n people determines the survivor among n + 1."""

from esoplay.codegen.source import print_int, read_int


def main() -> None:
    n = read_int()
    step = read_int()
    survivor = 0
    people = 2
    while people <= n:
        survivor = (survivor + step) % people
        people += 1
    print_int(survivor + 1)


if __name__ == "__main__":
    main()
