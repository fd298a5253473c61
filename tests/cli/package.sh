#!/usr/bin/env bash
# Debian's package, made on one machine that holds nothing but git, make and what building needs, installed on another, used
# there by an ordinary user, and removed. Asks for root, takes up to an hour, and is no part of CI.
# usage: package.sh bookworm|trixie [build]
#   A package that is there already is tried again: build/fresh/<suite>.packages/
set -euo pipefail
export LC_ALL=C
. "$(dirname "$0")/../../scripts/usage" 1 2 0 "$@"
[[ $1 =~ ^(bookworm|trixie)$ ]] || { usage >&2; exit 2; }
name=package suite=$1
source_folder=$(realpath "$(dirname "$0")/../..")
build=$(realpath -m "${2:-$source_folder/build}")
. "$source_folder/tests/cli/fresh_machine.sh"
. "$source_folder/tests/cli/processors.sh"
packages=$work/$suite.packages

if ! compgen -G "$packages/*.deb" >/dev/null; then
  fresh_machine builder
  bundle
  timed "apt-get update && apt-get install -y --no-install-recommends ca-certificates git make lintian"
  timed "$clone && cd /root/perpendicular && make deb"
  timed "cd /root/perpendicular && lintian --fail-on error --tag-display-limit 0 dist/*.deb"
  mkdir -p "$packages"
  cp "$machine"/root/perpendicular/dist/*.deb "$packages/"
  rm -rf "$machine"
fi

fresh_machine user
cp "$packages"/*.deb "$machine/root/"
timed "useradd --create-home reader && apt-get update"
before=$(inside "dpkg-query -W -f='\${Package}\n'")
# What the program cannot do without, then what a report needs, too.
timed "apt-get install -y --no-install-recommends /root/*.deb"
(cd "$machine/home/reader" && awk 'BEGIN { srand(1); for (t = 0; t < 2; ++t) { file = t ? "positions.txt" : "words.txt"
  for (i = 0; i < 200; ++i) { line = "r" i; for (j = 0; j < 16; ++j) line = line " " rand() - 0.5; print line >file } } }')
home() { timed "$(as_reader /home/reader "$1")"; }
home "perp inspect --words words.txt --positions positions.txt"
home "perp doctor || [ \$? -eq 1 ]"
timed "apt-get install -y /root/*.deb && apt-get install -y --no-install-recommends man-db \
  \$(dpkg-deb -f /root/*.deb Recommends | sed 's/ *|[^,]*//g; s/,/ /g')"
home "perp doctor"
home "perp report --preset quick && grep -q verdict perp-report/ledger.csv"
home "man -P cat perp | grep -q INSPECT"
on_processors "$machine/usr/bin/perp" "$machine" || exit 1
timed "dpkg -L perpendicular | sort >/root/files && apt-get purge -y perpendicular"
rest=$(inside "while read -r file; do [ -d \"\$file\" ] || ! [ -e \"\$file\" ] || echo \"\$file\"; done </root/files
  find / -xdev -not -path '/home/*' -not -path '/root/*' -not -path '/proc/*' -iname '*perp*'")
[ -z "$rest" ] || { echo "package: left behind: $rest" >&2; exit 1; }
echo "package: $suite: $(ls "$packages") installs, reports and goes; with it came $(comm -13 <(sort <<<"$before") \
  <(inside "dpkg-query -W -f='\${Package}\n'" | sort) | wc -l) packages"
rm -rf "$machine"
