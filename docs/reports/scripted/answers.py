"""Write the references of some problems into a folder, for the scripted solvers::

    python answers.py FOLDER E02 M06 …

FOLDER/LANGUAGE/ID.EXT are programs, FOLDER/titles.json has the id of each problem by its title.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from esolangs.registry import find_language, language_ids
from esoplay.packs.catalogue import get_problem
from esoplay.packs.references import find_reference


def main() -> None:
    folder = Path(sys.argv[1])
    titles: dict[str, str] = {}
    for id in sys.argv[2:]:
        problem = get_problem(id)
        titles[problem.title] = id
        for language in language_ids():
            reference = find_reference(problem, language)
            assert reference is not None, f"{id} has no reference in {language}"
            _write(folder / language, id + find_language(language).extensions[0], reference.program)
        program = problem.reference("python")
        assert program is not None, f"{id} has no reference in Python"
        _write(folder / "python", f"{id}.py", program)
    (folder / "titles.json").write_text(json.dumps(titles), "utf-8")


def _write(folder: Path, name: str, program: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(program)


if __name__ == "__main__":
    main()
