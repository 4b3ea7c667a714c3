"""What the scripts that make tables share: one run of the program, and what it ran on."""
import os
import platform
import re
import resource
import subprocess

# Options of runs that are about assertions alone, whose first violation is the answer.
ASSERTIONS = ["--check", "assert", "--first"]


def run(command, seconds):
    """Exit code (negative: the signal that ended it), standard output, standard error, and resources used by one run; the
    system ends it a few processor seconds after its own limit."""
    limit = (int(seconds) + 5,) * 2
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit))
    out, errors = process.stdout.read(), process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, out, errors, used


def machine():
    """Processor, its number, and system, for the head of a table."""
    model = platform.processor() or platform.machine()
    try:
        found = re.search(r"model name\s*:\s*(.*)", open("/proc/cpuinfo", encoding="utf-8").read())
        model = found.group(1).strip() if found else model
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} processors, {platform.system()}"
