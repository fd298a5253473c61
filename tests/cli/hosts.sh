#!/usr/bin/env bash
# Ranks on three hosts: network namespaces with names, addresses and shared memory of their own behind one switch, and the
# disk in common. The same bytes as one process; a link that is cut, a rank that dies far away and a host that does not answer
# end in one line within PERP_RANK_SECONDS, leave nothing running, and the same command goes on. Noted for docs/TRUST.md.
# usage: hosts.sh <build folder>
set -uo pipefail
build=$1
for program in mpirun ip unshare; do
  command -v "$program" >/dev/null || { echo "skipped: no $program here; make deps-mpi, apt-get install iproute2"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "skipped: only root makes network namespaces"; exit 77; }
[ -x "$build/perp-mpi" ] || { echo "skipped: perp is not linked for mpirun; make build RANKS=1"; exit 77; }
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

# ---- three hosts and a switch --------------------------------------------------------------------------------------------
switch=perp$$ first=perp$$-1 last=perp$$-3
hosts="$first perp$$-2 $last"
running() { for host in $hosts; do ip netns pids "$host"; done; }
put_away() {
  # shellcheck disable=SC2046
  kill -KILL $(running) 2>/dev/null
  for host in $switch $hosts; do ip netns del "$host" 2>/dev/null; done
}
trap 'put_away; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
ip netns add "$switch" && ip -n "$switch" link add switch type bridge && ip -n "$switch" link set switch up ||
  { echo "skipped: no network namespaces here"; exit 77; }
number=0
for host in $hosts; do
  number=$((number + 1))
  ip netns add "$host" && ip -n "$switch" link add "port$number" type veth peer name eth0 netns "$host" &&
    ip -n "$host" addr add "10.99.0.$number/24" dev eth0 && ip -n "$host" link set lo up && ip -n "$host" link set eth0 up &&
    ip -n "$switch" link set "port$number" master switch up
  echo "$host slots=1" >>hostfile
done
link() {  # link up|down: that of the last host
  ip -n "$switch" link set port3 "$1"
  [ "$1" = down ] || until [[ $(ip netns exec "$first" timeout 1 bash -c ': </dev/tcp/10.99.0.3/9' 2>&1) == *refused* ]]; do sleep 0.2; done
}

# on <host> command…: what ssh is between real hosts
cat >on <<'END'
#!/usr/bin/env bash
here=${0%/*} host=$1; shift
stay() { exec 3<> <(:); read -rt 900 <&3; exit 255; }  # as an ssh to a host that is gone
[ ! -e "$here/refuses.$host" ] || { echo "ssh: connect to host $host port 22: Connection refused" >&2; exit 255; }
[ ! -e "$here/silent.$host" ] || stay
ip netns exec "$host" unshare --uts --ipc --mount sh -c \
  'hostname "$0" && mount -t tmpfs tmpfs /dev/shm && exec sh -c "$*"' "$host" "$@"
code=$?
[ ! -e "$here/gone.$host" ] || stay
exit "$code"
END
chmod +x on
export RANKS_FLAGS="--hostfile $work/hostfile --mca plm_rsh_agent $work/on --mca btl self,tcp"
quick=("$build/perp" report --preset quick)
measure=("${quick[@]}" --pages no --studies distance --ranks 3 --threads 3)
on_hosts() { ./on "$first" "$(printf '%q ' "$@")"; }
note() { echo "* ${1//perp$$-/host}" >>noted; }
kept() { find "$1" -name '*.cell' 2>/dev/null | wc -l; }
begin() { timeout -k 5 120 ./on "$first" "$(printf '%q ' "$@")" >out 2>err & started=$!; }
until_kept() {  # until_kept <folder> <cells>
  while kill -0 "$started" 2>/dev/null && [ "$(kept "$1")" -lt "$2" ]; do sleep 0.05; done
}
ranks_on() {  # ranks_on <host>: their processes
  ip netns pids "$1" | while read -r process; do
    [ "$(readlink "/proc/$process/exe")" != "$build/perp-mpi" ] || echo "$process"
  done
}
ends() {  # ends "what" <seconds> <line>: what was begun does, in that time, with that line on standard error
  local since=$SECONDS code seconds
  wait "$started"; code=$?
  seconds=$((SECONDS - since))
  check "$1: exit code 1 (got $code) after $seconds s of at most $2" [ "$code $((seconds <= $2))" = "1 1" ]
  grep -vE ' left(,| here)|cells measured' err >lines
  check "… one line: $(cat lines)" [ "$(grep -cE "^perp report: $3$" lines)/$(wc -l <lines)" = 1/1 ]
  for _ in $(seq 100); do [ -z "$(running)" ] && break; sleep 0.1; done
  check "… nothing is left on any host" [ -z "$(running)" ]
  note "$1: one line after $seconds s, nothing is left on any host (\`$(cat lines)\`)"
}
goes_on() {  # goes_on <out>: all cells of <out>.kept are reused
  local before; before=$(kept "$1.kept")
  on_hosts "${measure[@]}" --kept "$1.kept" --out "$1" 2>err || cat err
  check "… the same command goes on from all $before finished cells" grep -q " $before reused" err
  check "… to the same bytes" same one/distance "$1/distance"
  note "the same command goes on from all $before finished cells, to the same bytes"
}
after="; finished cells are kept; the same command continues"

# ---- the same bytes --------------------------------------------------------------------------------------------------------
"${quick[@]}" --kept one.kept --out one 2>err || cat err
check "a quick report by one process" [ -s one/REPORT.md ]
on_hosts "${quick[@]}" --ranks 3 --threads 3 --kept three.kept --out three 2>err || cat err
check "by three hosts: the same bytes" same one three
check "… in every study by three ranks" [ "$(grep -l '"ranks": 3' three/*/run.json | wc -l)" -eq "$(find one -name run.json | wc -l)" ]

note "a quick report by three hosts: the same bytes as by one process"

# ---- a link that is cut ----------------------------------------------------------------------------------------------------
export PERP_RANK_SECONDS=16
begin "${measure[@]}" --kept cut.kept --out cut
until_kept cut.kept 8
for host in $hosts; do check "$host measures" [ "$(ranks_on "$host" | wc -l)" -eq 1 ]; done
link down && touch "gone.$last"
ends "a link is cut" $((PERP_RANK_SECONDS + 10)) "host $last does not answer any more$after"
check "… no results" [ ! -e cut/distance/results.json ]
link up && rm "gone.$last"
goes_on cut

# ---- a rank that dies far away ---------------------------------------------------------------------------------------------
begin "${measure[@]}" --kept died.kept --out died
until_kept died.kept 8
kill -KILL "$(ranks_on "$last")"
ends "a rank dies far away" 10 "rank 2 on $last was killed \(signal 9\)$after"
goes_on died

# ---- a host that does not answer from the start ------------------------------------------------------------------------------
export PERP_RANK_SECONDS=8
touch "silent.$last"
begin "${measure[@]}" --kept none.kept --out none
ends "a host is silent" 20 "no answer from one of the hosts ${hosts#* } within 8 s \(PERP_RANK_SECONDS\); nothing was started"
mv "silent.$last" "refuses.$last"
begin "${measure[@]}" --kept none.kept --out none
ends "a host refuses" 20 "mpirun failed: ssh: connect to host $last port 22: Connection refused ORTE was unable .*"
rm "refuses.$last"
link down
begin "${measure[@]}" --kept none.kept --out none
ends "a host is cut off" 20 "mpirun failed: ORTE was unable to reliably start one or more daemons\."
check "… nothing was measured" [ "$(kept none.kept)" -eq 0 ]
finish || exit
PERP_COMMIT=${PERP_COMMIT:-$(git -C "$source_folder" rev-parse --short=12 HEAD)} "$source_folder/tests/trust" "$build" hosts "make test-hosts" <noted
