# shellcheck shell=bash
# What tests of programs share: a scratch folder to stand in, checks that go on and are counted, refusals.
# Source it before anything else changes the folder; the paths of programs must be absolute by then.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

copy() {  # copy <from>… <to>: ours to change where the sources may only be read
  cp -r "$@" && chmod -R u+w "${@: -1}"
}

word_of() {  # word_of <perp> <word>: a program that is `perp <word>`
  printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$1" "$2" >"$work/$2" && chmod +x "$work/$2" && echo "$work/$2"
}

program() {  # program <file>: made of standard input
  mkdir -p "$(dirname "$1")"
  { echo '#!/usr/bin/env bash'; cat; } >"$1"
  chmod +x "$1"
}
table() {  # table <rows> <columns> <number>: word vectors as text, reproducible
  awk -v rows="$1" -v cols="$2" -v seed="$3" 'BEGIN {
    srand(seed); for (i = 0; i < rows; ++i) { line = "r" i; for (j = 0; j < cols; ++j) line = line " " rand() - 0.4; print line } }'
}

sentences() {  # a text with some order in it: one topic word a sentence decides which words come beside it
  awk 'BEGIN {
    srand(7)
    for (i = 0; i < 40000; ++i) {
      topic = int(40 * rand()); line = ""
      for (j = 0; j < 9; ++j) line = line " " sprintf("%c%c%c", 97 + topic % 26, 97 + int(topic / 2), 97 + int(26 * rand() * rand()))
      print line
    }
  }'
}

check() {  # check "what" condition…: true where that is
  local what=$1; shift
  if "$@"; then echo "ok: $what"; else echo "FAILED: $what"; failures=$((failures + 1)); return 1; fi
}
finish() { echo "$failures failed"; [ "$failures" -eq 0 ]; }

refused() {  # refused [-c <code>] <part of the message> command…: exits with the code, 2 if none is given, says one short line and no data
  local code=2 part got
  [ "$1" != -c ] || { code=$2; shift 2; }
  part=$1; shift
  "$@" >said 2>err; got=$?
  check "$* is refused with $code (got $got)" [ "$got" -eq "$code" ]
  check "… saying '$part'" grep -qF -- "$part" err
  check "… in one line" [ "$(wc -l <err)" -eq 1 ]
  check "… which is short" [ "$(wc -c <err)" -lt 500 ]
  check "… without data" [ ! -s said ]
}
refuse() {  # refuse <part of the message> options…: the same of $program, which leaves nothing
  refused "$1" "${program:?}" "${@:2}"
  check "… and writes no file" [ ! -e reports ]
}

full() {  # full command…: its data meets a full disk, then a closed standard output: exit 1 and one line each time
  "$@" >/dev/full 2>err; local got=$?
  check "$* >/dev/full exits with 1 (got $got)" [ "$got" -eq 1 ]
  check "… says why" grep -q "standard output: No space left" err
  check "… in one line" [ "$(wc -l <err)" -eq 1 ]
  "$@" 2>err >&-; got=$?
  check "$* >&- exits with 1 (got $got)" [ "$got" -eq 1 ]
  check "… says why" grep -q "standard output: Bad file" err
  check "… in one line" [ "$(wc -l <err)" -eq 1 ]
}
