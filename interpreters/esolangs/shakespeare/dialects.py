"""The differences between the dialects of Shakespeare."""

from __future__ import annotations

from esolangs.dialects import DialectDifference

DIFFERENCES = (
    DialectDifference(
        "number",
        "`Listen to your heart`",
        "reads a line, and uses the integer at its start, with or without a sign",
        "reads digits at the current position, without a sign, and one newline after them",
        b"""A Number.
Romeo, who asks.
Juliet, who listens.
Act I: The act.
Scene I: The scene.
[Enter Romeo and Juliet]
Romeo: Listen to your heart. Open your heart.
""",
        b"-5\n",
    ),
    DialectDifference(
        "missing",
        "a scene or a character that does not exist",
        "is a parse error",
        "is a fault when the play reaches it",
        b"""A Missing Scene.
Romeo, who speaks.
Juliet, who listens.
Act I: The act.
Scene I: The scene.
[Enter Romeo and Juliet]
Romeo: You are a cat. Open your heart.
Romeo: Are you better than a cat? If so, let us proceed to scene X.
""",
    ),
)
