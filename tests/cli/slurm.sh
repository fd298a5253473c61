#!/usr/bin/env bash
# docs/slurm/report.sbatch, an array and the job that merges, on a Slurm of one node: munged, slurmctld and slurmd are started in a scratch folder, on ports
# of their own, and are gone when this ends.
# usage: slurm.sh <build folder>
set -uo pipefail
build=$1
for program in munged slurmctld slurmd sbatch; do
  command -v "$program" >/dev/null || { echo "skipped: no $program here; make deps-slurm"; exit 77; }
done
# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL
for variable in $(compgen -v SLURM_) $(compgen -v SBATCH_); do unset "$variable"; done

# ---- a Slurm of one node --------------------------------------------------------------------------------------------------
host=$(hostname -s) user=$(id -un)
chmod 755 .  # munge wants its socket within everyone's reach, and its key within nobody's
mkdir -m 755 munge state spool
head -c 1024 /dev/urandom >munge/key && chmod 600 munge/key
free_port() { local port; for port in $(shuf -i 20000-30000 -n 50); do (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }; done; }
cat >slurm.conf <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
KillWait=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
END
export SLURM_CONF=$work/slurm.conf

# Everything that was started here, steps of jobs included, has that variable in its environment.
ours() {
  local folder
  for folder in /proc/[0-9]*; do
    [ "${folder#/proc/}" -ne $$ ] && [ "${folder#/proc/}" -ne "$BASHPID" ] &&
      { tr '\0' '\n' <"$folder/environ"; } 2>/dev/null | grep -qxF "SLURM_CONF=$SLURM_CONF" && echo "${folder#/proc/}"
  done
}
put_away() {
  local signal
  scancel --user="$user" 2>/dev/null
  for _ in $(seq 100); do [ -z "$(squeue -h 2>/dev/null)" ] && break; sleep 0.1; done
  for signal in TERM TERM KILL; do
    # shellcheck disable=SC2046
    kill -s "$signal" $(ours) 2>/dev/null
    for _ in $(seq 30); do [ -z "$(ours)" ] && break 2; sleep 0.1; done
  done
}
trap 'put_away; rm -rf "$work"' EXIT
munged --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
  --log-file="$work/munge/log" --seed-file="$work/munge/seed" || cat munge/log
slurmctld -D >ctld.out 2>&1 &
slurmd -D >slurmd.out 2>&1 &
for _ in $(seq 300); do [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && break; sleep 0.1; done
check "a node is up" [ "$(sinfo -h -o %T)" = idle ] || { tail -n 20 ./*.log ./*.out munge/log; exit 1; }

# ---- the batch script --------------------------------------------------------------------------------------------------------
studies="orthogonality distance"
report one.kept one 2>err || cat err
submit() {  # submit <name> options of sbatch…: the script, with variables of make; prints the job's number
  (cd "$source_folder" && BUILD=$build KEPT=$work/$1.kept OUT=$work/$1 PRESET=quick STUDIES=$studies CORPUS=none \
    sbatch --parsable --mem-per-cpu=200 --output="$work/$1-%j.log" "${@:2}" docs/slurm/report.sbatch)
}
both() {  # both <name>: as the head of the script says; sets array and merge
  array=$(submit "$1" --array=1-3) merge=$(submit "$1" --dependency=afterany:"$array")
}
ended() {  # ended <job>: waits (sbatch --wait looks seldom), prints its exit codes
  for _ in $(seq 1200); do [ -z "$(squeue -h -j "$1" 2>/dev/null)" ] && break; sleep 0.1; done
  scontrol -o show job "$1" | grep -oP ' ExitCode=\K[0-9]+' | sort -u | paste -sd ' '
}
cells() { find "$1.kept" -name '*.cell' 2>/dev/null | wc -l; }
counted() { sed -nE "s/.* ([0-9]+) $1.*/\1/p" "${@:2}" | awk '{sum += $1} END {print sum + 0}'; }  # counted <what> <log>…

both parts
check "the array ends well ($(ended "$array"))" [ "$(ended "$array")" = 0 ] || cat parts-*.log
check "three jobs measured a part each" [ "$(grep -lE 'part [1-3] of 3 is measured' parts-*.log | wc -l)" -eq 3 ]
all=$(cells parts)
check "… every cell once ($all)" [ "$(counted 'cells measured' parts-*.log)" -eq "$all" ]
check "the job that merges ends well ($(ended "$merge"))" [ "$(ended "$merge")" = 0 ] || cat "parts-$merge.log"
check "… and measures nothing" [ "$(counted 'cells measured' "parts-$merge.log")/$(counted reused "parts-$merge.log")" = "0/$all" ]
check "the same bytes as one process without Slurm" same one parts

both cut
for _ in $(seq 600); do [ "$(cells cut)" -ge 5 ] && break; sleep 0.05; done
scancel "${array}_2" "$merge"
ended "$array" >/dev/null
kept=$(cells cut)
check "a cancelled job leaves cells ($kept of $all)" [ "$kept" -lt "$all" ]
check "… and no report" [ ! -e cut/REPORT.md ]
merge=$(submit cut)
check "the job that merges measures the rest ($(ended "$merge"))" [ "$(ended "$merge")" = 0 ] || cat "cut-$merge.log"
check "… and no more" [ "$(counted 'cells measured' "cut-$merge.log")/$(counted reused "cut-$merge.log")" = "$((all - kept))/$kept" ]
check "… to the same bytes" same one cut

put_away
check "no daemon and no step is left" [ -z "$(ours)" ]
finish
