#!/bin/sh
# The main job without a terminal: start a practice session, fetch a problem, try a
# program on an input of one's own, submit it to the hidden tests, show the verdict.
set -eu
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export ESOPLAY_HOME="$place/state"
say() { printf '\n$ %s\n' "$*"; "$@"; }

say esoplay session init --language brainfuck --protocol practice --workspace "$place/work"
cd "$place/work"
say esoplay session fetch E08
printf '>,[>,]<[.<]' > reverse.bf
say esoplay session run reverse.bf --input stressed
echo
say esoplay session submit E08 reverse.bf
say esoplay session status
