"""Step of the action: prints findings of a SARIF file as annotations: annotate.py FILE."""

import json
import sys
from urllib.parse import unquote


def escaped(text, of_property=False):
    """A text as workflow commands want it."""
    pairs = [("%", "%25"), ("\r", "%0D"), ("\n", "%0A")]
    if of_property:
        pairs += [(":", "%3A"), (",", "%2C")]
    for plain, code in pairs:
        text = text.replace(plain, code)
    return text


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        runs = json.load(file)["runs"]
    for result in (result for run in runs for result in run.get("results", [])):
        if result.get("suppressions"):
            continue
        place = result["locations"][0]["physicalLocation"]
        properties = {
            "file": unquote(place["artifactLocation"]["uri"]),
            "line": str(place.get("region", {}).get("startLine", 1)),
            "title": "selvedge: " + result["ruleId"],
        }
        values = ",".join(f"{name}={escaped(value, True)}" for name, value in properties.items())
        print(f"::error {values}::{escaped(result['message']['text'])}")


main()
