# Completion of perp for bash: words and options are those that the program's own --help lists.
_perp() {
  local typed=${COMP_WORDS[COMP_CWORD]} list
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ] || [ "${COMP_WORDS[1]} $COMP_CWORD" = "help 2" ]; then
    list=$("$1" --help 2>/dev/null | sed -nE 's/^  ([a-z][a-z-]*)  .*/\1/p')
  elif [[ $typed == -* ]]; then
    list=$("$1" "${COMP_WORDS[1]}" --help 2>/dev/null | grep -oE '^ +(-[a-z], ?)?--[a-z][a-z0-9-]*' | grep -oE -- '--.*')
  else
    # The values that the help of the option before lists in braces, or else files.
    list=$("$1" "${COMP_WORDS[1]}" --help 2>/dev/null |
      sed -nE "s/^ +(-[a-z], ?)?${COMP_WORDS[COMP_CWORD - 1]} .*\{([a-z0-9,-]+)\}.*/\2/p" | tr , ' ')
    [ -n "$list" ] || { compopt -o default 2>/dev/null; return; }
  fi
  mapfile -t COMPREPLY < <(compgen -W "$list" -- "$typed")
}
complete -F _perp perp
