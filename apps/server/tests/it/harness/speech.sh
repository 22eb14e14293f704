#!/bin/sh
# A program that speaks, for tests (SPEECH_PROGRAM): reads a text from its standard input and writes a WAV file at the path
# that it is given, 8,000 samples a second, ten milliseconds of a tone for each character. What it said is added to the file
# `said` beside it, a line for each text.
set -eu
text=$(cat)
printf '%s\n' "$text" >>"$(dirname "$0")/said"
bytes=$((${#text} * 160))

# A number as four or two bytes, the lowest first.
four() { two $(($1 % 65536)); two $(($1 / 65536)); }
two() { printf "\\$(printf %03o $(($1 % 256)))\\$(printf %03o $(($1 / 256 % 256)))"; }

{
  printf RIFF; four $((bytes + 36))
  printf 'WAVEfmt '; four 16; two 1; two 1; four 8000; four 16000; two 2; two 16
  printf data; four "$bytes"
  # A square wave: eight samples up, eight down.
  yes '0000000000000000pppppppppppppppp' | tr -d '\n' | head -c "$bytes"
} >"$1"
