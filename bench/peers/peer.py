"""What the peers share: timing, the loaded BLAS, and one line of JSON per workload, as build/bench/workloads prints."""
import argparse
import json
import os
import time


def loaded(fragments):
    """The shared libraries of this process whose name holds one of the fragments: files, each once."""
    paths = set()
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            path = line.split(maxsplit=5)[-1].strip() if line.count("/") else ""
            name = os.path.basename(path)
            if name.startswith("lib") and any(fragment in name for fragment in fragments):
                paths.add(os.path.realpath(path))
    return sorted(paths)


def main(side, version, workloads, libraries, warm_up):
    parser = argparse.ArgumentParser(description=f"The workloads of build/bench/workloads in {side}.")
    parser.add_argument("--only", default=",".join(workloads), help="names, such as w1,w4")
    parser.add_argument("--side", default=side, help="the name to go by")
    parser.add_argument("--repeats", type=int, default=2, help="runs of each; all their times are printed")
    options = parser.parse_args()
    names = options.only.split(",")
    for name in names:
        if name not in workloads:
            parser.error(f"there is no workload '{name}'; there are {', '.join(workloads)}")
    warm_up()  # starts the library's threads outside of any timing
    for name in names:
        seconds = []
        for _ in range(options.repeats):
            start = time.perf_counter()
            numbers = workloads[name]()
            seconds.append(time.perf_counter() - start)
        print(json.dumps({"side": options.side, "workload": name, "threads": int(os.environ.get("OMP_NUM_THREADS", len(os.sched_getaffinity(0)))),
                          "blas": "", "version": version, "path": " ".join(loaded(libraries)),
                          "seconds": seconds, "numbers": numbers}, separators=(",", ":")), flush=True)
