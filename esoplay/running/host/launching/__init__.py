"""The process between esoplay and a program of a host lane, of the standard library alone."""
