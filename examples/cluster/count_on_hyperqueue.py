#!/usr/bin/env python3
"""Count the units of `wamlet split` with HyperQueue (pip install hyperqueue).

    wamlet split -g GOAL --units 200 program.pl > units.jsonl
    python count_on_hyperqueue.py units.jsonl
    wamlet merge units.results/*.jsonl

Without --server the script starts a server and a worker on this machine. --server names the directory of a running server, such
as ~/.hq-server/hq-current. Each unit has its own file of results. If the script ends early, run it again: it skips units that
already have a count in such a file.
"""

import argparse
import json
import os
import pathlib
import sys

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

# The file of results gets its final name only when it is complete.
COUNT = '"$1" count --unit-stdin > "$2.part"; status=$?; test -s "$2.part" && mv "$2.part" "$2"; exit $status'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("units", type=pathlib.Path)
    parser.add_argument("--server", type=pathlib.Path, help="directory of a running server")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="cores of the worker on this machine")
    parser.add_argument("--wamlet", default="wamlet", help="the program wamlet on the workers")
    args = parser.parse_args()
    folder = args.units.with_suffix(".results").resolve()
    folder.mkdir(exist_ok=True)
    job = Job(max_fails=None)
    left = 0
    for line in args.units.read_text().splitlines():
        unit, fingerprint = (json.loads(line)[member] for member in ("unit", "fingerprint"))
        result = folder / f"{unit}.jsonl"
        known = result.read_text() if result.exists() else ""
        if fingerprint in known and '"count"' in known:
            continue
        command = ["sh", "-c", COUNT, "sh", args.wamlet, str(result)]
        job.program(command, stdin=line, stdout=None, stderr=folder / f"{unit}.errors", name=f"unit-{unit}")
        left += 1
    if left == 0:
        return 0
    if args.server:
        client = Client(args.server)
        return 0 if client.wait_for_jobs([client.submit(job)], raise_on_error=False) else 1
    with LocalCluster() as cluster:
        cluster.start_worker(WorkerConfig(cores=args.cores))
        client = cluster.client()
        return 0 if client.wait_for_jobs([client.submit(job)], raise_on_error=False) else 1


if __name__ == "__main__":
    sys.exit(main())
