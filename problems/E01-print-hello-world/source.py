"""E01: Print the text."""

from esoplay.codegen.source import puts


def main() -> None:
    puts("Hello World!")


if __name__ == "__main__":
    main()
