"""Version of esoplay."""

VERSION = "0.1.0"
