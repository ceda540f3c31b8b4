"""E01: the text, as it stands."""

from esoplay.codegen.source import puts


def main() -> None:
    puts("Hello World!")


if __name__ == "__main__":
    main()
