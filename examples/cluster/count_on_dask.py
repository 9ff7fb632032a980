#!/usr/bin/env python3
"""Count the units of `wamlet split` on a Dask cluster (pip install distributed).

    wamlet split -g GOAL --units 200 program.pl > units.jsonl
    python count_on_dask.py --scheduler tcp://host:8786 units.jsonl
    wamlet merge units.results.jsonl

Without --scheduler the script starts a cluster on this machine. It appends each result to the file of results at once. If the
script ends early, run it again: it skips units that already have a count in this file. If a worker dies, Dask counts its units
on another worker. Workers need the program `wamlet`; name its place with --wamlet.
"""

import argparse
import json
import pathlib
import subprocess
import sys


def count_unit(line, wamlet, threads):
    """Counts a unit on a worker. Returns the line with its result."""
    command = [wamlet, "count", "--unit-stdin", "-j", str(threads)]
    done = subprocess.run(command, input=line, capture_output=True, text=True, check=False)
    if not done.stdout.endswith("\n"):
        raise RuntimeError(done.stderr.strip() or f"{wamlet} has ended with status {done.returncode}")
    return done.stdout


def counted(path, fingerprint):
    """Returns the numbers of the units that have a count in a file of results. Ends if the file belongs to another count."""
    units = set()
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            result = json.loads(line)
            unit, of_count = result["unit"], result["fingerprint"]
        except (ValueError, KeyError, TypeError):
            continue  # The line is incomplete.
        if of_count != fingerprint:
            sys.exit(f"{path}: unit {unit} belongs to another count; name another file with --results")
        if "count" in result:
            units.add(unit)
    return units


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("units", type=pathlib.Path)
    parser.add_argument("--scheduler", help="address of the scheduler, such as tcp://host:8786")
    parser.add_argument("--results", type=pathlib.Path, help="file of results (default: UNITS.results.jsonl)")
    parser.add_argument("--wamlet", default="wamlet", help="the program wamlet on the workers")
    parser.add_argument("--threads", type=int, default=1, help="threads for each unit")
    args = parser.parse_args()
    from distributed import Client, as_completed

    results = args.results or args.units.with_suffix(".results.jsonl")
    lines = [line for line in args.units.read_text().splitlines() if line.strip()]
    if not lines:
        sys.exit(f"{args.units}: there are no units")
    done = counted(results, json.loads(lines[0])["fingerprint"])
    lines = {json.loads(line)["unit"]: line for line in lines}
    left = [unit for unit in lines if unit not in done]
    failed = []
    with Client(args.scheduler) as client, results.open("a") as out:
        if results.stat().st_size:
            out.write("\n")  # The last line may be incomplete. Empty lines do no harm.
        tasks = {
            client.submit(count_unit, lines[unit], args.wamlet, args.threads, pure=False, retries=3): unit
            for unit in left
        }
        for ended, task in enumerate(as_completed(tasks), len(lines) - len(left) + 1):
            if task.status == "finished":
                out.write(task.result())
                out.flush()
            else:
                failed.append(f"unit {tasks[task]}: {task.exception()}")
            bar = "#" * (40 * ended // len(lines))
            print(f"\r[{bar:40}] {ended} of {len(lines)} units", end="", file=sys.stderr, flush=True)
            task.release()
    print(*["", *failed], sep="\n", end="\n" if failed else "", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
