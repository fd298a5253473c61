#!/usr/bin/env bash
# Every figure script under every gnuplot given: no exit but zero, no word on standard error. The renderer stops at the first
# complaint; here all are told. Gnuplot 6 took names (split, index, …) that were free in 5.4.
# usage: figures.sh <build> [results]     results: a finished report, reports/published unless said otherwise
#   GNUPLOTS="gnuplot /opt/gnuplot-6/bin/gnuplot"   programs to draw with; gnuplot of PATH if unset
#   KEEP=folder                                     leaves what each of them drew in folder/1, folder/2, …
set -euo pipefail
source=$(realpath "$(dirname "$0")/../..")
build=$(realpath "$1") results=$(realpath "${2:-$source/reports/published}")
read -ra gnuplots <<<"${GNUPLOTS:-gnuplot}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# draw <number> <gnuplot>: a stand-in of that name writes down what gnuplot says and hands the renderer an SVG in any case.
draw() {
  local mine=$folder/$1 drawn
  mkdir -p "$mine/bin"
  cat >"$mine/bin/gnuplot" <<END
#!/usr/bin/env bash
for program in "\$@"; do :; done
name=\$(sed -n "s/^set terminal.* name '\([^']*\)'.*/\1/p" "\$program")
theme=\$(sed -n "s/^theme = '\([^']*\)'.*/\1/p" "\$program")
$(printf %q "$2") "\$@" >"$mine/svg" 2>"$mine/talk"
status=\$?
if [ \$status -ne 0 ] || [ -s "$mine/talk" ]; then
  printf '%s (%s): exit %s: %s\n' "\$name" "\$theme" \$status "\$(tr -s '\n ' '  ' <"$mine/talk")" >>"$mine/complaints"
  echo '<svg></svg>'
else
  cat "$mine/svg"
fi
END
  chmod +x "$mine/bin/gnuplot"
  touch "$mine/complaints"
  PATH=$mine/bin:$PATH "$build/reports/render" --only-figures --results "$results" --templates "$source/reports/templates" \
    --figures "$source/reports/figures" --out "$mine/out" 2>"$mine/render" || { cat "$mine/render" >&2; return 1; }
  [ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp -r "$mine/out/figures" "$KEEP/$1"; }
  drawn=$(find "$mine/out/figures" -name '*.svg' | wc -l)
  [ "$drawn" -gt 0 ] || { echo "figures: $results holds nothing to draw" >&2; return 1; }
  echo "figures: $2 ($("$2" --version)): $drawn drawn, $(wc -l <"$mine/complaints") complained of"
  [ ! -s "$mine/complaints" ] || { sed 's/^/  /' "$mine/complaints" >&2; return 1; }
}

failed=0 number=0
for gnuplot in "${gnuplots[@]}"; do
  number=$((number + 1))
  draw "$number" "$(command -v "$gnuplot" || echo "$gnuplot")" || failed=1
done
exit $failed
