#!/usr/bin/env bash
# Every figure script under every gnuplot given: no exit but zero, no word on standard error, a whole picture. The renderer
# stops at the first complaint; here all are told.
# usage: GNUPLOTS="gnuplot /opt/gnuplot-6/bin/gnuplot" figures.sh <build> [folder of results]…
#   Results are those of reports/published unless said otherwise; those of make bench lie in
#   build/bench/out. With KEEP=folder the pictures of the first gnuplot stay in
#   folder/1, and so on. A gnuplot may be a script that starts it in a container; that must see this folder and /tmp.
set -euo pipefail
source=$(realpath "$(dirname "$0")/../..")
build=$(realpath "$1"); shift
[ $# -gt 0 ] || set -- "$source/reports/published"
read -ra gnuplots <<<"${GNUPLOTS:-}"
[ "${#gnuplots[@]}" -gt 0 ] || { echo 'skipped: GNUPLOTS="gnuplot /another/gnuplot" names none to draw with'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# stand_in <gnuplot> <folder>: a program that writes down what gnuplot complains of and gives the renderer an SVG in any case.
stand_in() {
  cat <<END
#!/usr/bin/env bash
for program in "\$@"; do :; done
name=\$(sed -n "s/^set terminal.* name '\([^']*\)'.*/\1/p" "\$program")
$(printf %q "$1") "\$@" >"$2/svg" 2>"$2/messages"
status=\$?
if [ \$status -eq 0 ] && [ ! -s "$2/messages" ] && tail -n 3 "$2/svg" | grep -q '</svg>'; then
  cat "$2/svg"
else
  printf '%s: exit %s: %s\n' "\$name" \$status "\$(tr -s '\n ' '  ' <"$2/messages")" >>"$2/complaints"
  echo '<svg><title></title></svg>'
fi
END
}

draw() {  # draw <number> <gnuplot> <folder of results>…
  local number=$1 gnuplot=$2 mine=$folder/$1 drawn results
  shift 2
  mkdir -p "$mine/bin"
  stand_in "$gnuplot" "$mine" >"$mine/bin/gnuplot"
  chmod +x "$mine/bin/gnuplot"
  touch "$mine/complaints"
  for results in "$@"; do
    PATH=$mine/bin:$PATH "$build/perp" render --only-figures --results "$results" --templates "$source/reports/templates" \
      --figures "$source/reports/figures" --out "$mine/out" 2>"$mine/render" || { cat "$mine/render" >&2; return 1; }
  done
  drawn=$(find "$mine/out/figures" -name '*.svg' | wc -l)
  [ "$drawn" -gt 0 ] || { echo "figures: nothing to draw in $*" >&2; return 1; }
  if [ -n "${KEEP:-}" ]; then mkdir -p "$KEEP/$number" && cp "$mine"/out/figures/*.svg "$KEEP/$number"; fi
  echo "figures: $gnuplot ($("$gnuplot" --version)): $drawn drawn, $(wc -l <"$mine/complaints") complained of"
  sed 's/^/  /' "$mine/complaints" >&2
  [ ! -s "$mine/complaints" ]
}

failed=0
for ((number = 1; number <= ${#gnuplots[@]}; number++)); do
  gnuplot=${gnuplots[number - 1]}
  path=$(command -v "$gnuplot") || { echo "figures: no program $gnuplot" >&2; exit 2; }
  draw "$number" "$path" "$@" || failed=1
done
exit $failed
