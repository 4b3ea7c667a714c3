# SPDX-License-Identifier: MIT OR Apache-2.0

"""Tool-info module of Selvedge for BenchExec (https://github.com/sosy-lab/benchexec): benchexec --tool-directory FOLDER with selvedge.xml."""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """Selvedge: a model checker for multi-threaded C."""

    # Beginnings of what a verdict says is violated, with the answer that SV-COMP has for it. Of memory safety, the rest is an invalid
    # access.
    KINDS = [
        ("data race", result.RESULT_FALSE_DATARACE),
        ("signed overflow", result.RESULT_FALSE_OVERFLOW),
        ("overflow in division", result.RESULT_FALSE_OVERFLOW),
        ("deadlock", result.RESULT_FALSE_DEADLOCK),
        ("memory that is not freed", result.RESULT_FALSE_MEMCLEANUP),
        ("memory leak", result.RESULT_FALSE_MEMTRACK),
        ("double free", result.RESULT_FALSE_FREE),
        ("invalid free", result.RESULT_FALSE_FREE),
        ("assertion", result.RESULT_FALSE_REACH),
        ("reach_error", result.RESULT_FALSE_REACH),
    ]

    def executable(self, tool_locator):
        return tool_locator.find_executable("selvedge")

    def name(self):
        return "Selvedge"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="selvedge")

    def cmdline(self, executable, options, task, rlimits):
        words = [executable, *options]
        if task.property_file:
            words += ["--property", task.property_file]
        data_model = (task.options or {}).get("data_model") if isinstance(task.options, dict) else None
        if data_model == "ILP32":
            words.append("--32")
        elif data_model == "LP64":
            words.append("--64")
        if rlimits.cputime and "--timeout" not in options:
            # The answer of the bounds that were finished comes before the limit.
            words += ["--timeout", str(max(1, int(rlimits.cputime * 0.97)))]
        if rlimits.memory and "--memory" not in options:
            words += ["--memory", str(int(rlimits.memory * 0.95 / 1_000_000))]
        return words + list(task.input_files_or_identifier)

    def determine_result(self, run):
        verdicts = [line for line in run.output if line.startswith("VERIFICATION ")]
        if not verdicts:
            return result.RESULT_ERROR
        verdict = verdicts[-1].strip()
        if verdict.startswith("VERIFICATION SUCCESSFUL"):
            # With --require-complete, an answer within bounds is none.
            bounded = "(bounded" in verdict and "--require-complete" in run.cmdline
            return result.RESULT_UNKNOWN if bounded else result.RESULT_TRUE_PROP
        if verdict.startswith("VERIFICATION FAILED"):
            what = verdict.partition("(")[2]
            of_memory = any(word.endswith("valid-memsafety.prp") for word in run.cmdline)
            for name, answer in self.KINDS:
                if what.startswith(name):
                    return answer
            return result.RESULT_FALSE_DEREF if of_memory else result.RESULT_FALSE_PROP
        reason = verdict.partition("(")[2].rstrip(")")
        if reason in ("time", "memory"):
            return f"{result.RESULT_UNKNOWN} ({reason})"
        return result.RESULT_UNKNOWN
