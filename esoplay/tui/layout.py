"""Where the panes stand: one grid, arranged anew for each width of the terminal and each view.

Heights are fixed, so that nothing jumps while a program runs.
"""

from __future__ import annotations

from esoplay.tui.frame import LEAST_SIZE

WIDTHS = [(0, "-tiny"), (LEAST_SIZE[0], "-narrow"), (110, "-mid"), (180, "-wide")]
HEIGHTS = [(0, "-flat"), (LEAST_SIZE[1], "-short"), (34, "-tall"), (52, "-high")]


def classes_of_size(columns: int, rows: int) -> tuple[str, str]:
    """The classes by which the screen knows how wide and how high it is."""
    width = max(bound for bound in WIDTHS if bound[0] <= columns)
    height = max(bound for bound in HEIGHTS if bound[0] <= rows)
    return width[1], height[1]


CSS = """
PlayScreen { layout: vertical; layers: base cover; background: $background; }
PlayScreen.-tiny TooSmall, PlayScreen.-flat TooSmall { display: block; }
PlayScreen.-lesson Tip { display: none; }
PlayScreen Footer { dock: bottom; background: $background; }
#body { layout: grid; height: 1fr; grid-gutter: 0; }
#body > * { display: none; width: 100%; height: 100%; }

/* narrow: one view fills the screen */
PlayScreen.-tiny, PlayScreen.-narrow {
    &.-view-learn #body {
        grid-size: 2 1; grid-columns: 34 1fr;
        #lesson-text, #lesson-hints, #lesson-go { margin: 0 1 1 1; }
        #lessons, #lesson { display: block; }
    }
    &.-lesson.-view-edit LessonLine, &.-lesson.-view-debug LessonLine { display: block; }
    &.-view-browse #body {
        grid-size: 2 1; grid-columns: 32 1fr;
        #problems, #statement { display: block; }
    }
    &.-view-edit #body {
        grid-size: 1 2; grid-rows: 1fr 7;
        #program, #results { display: block; }
    }
    &.-writing.-view-edit #body {
        grid-size: 1 3; grid-rows: 1fr 6 6;
        #generated { display: block; }
    }
    &.-writing.-no-problem.-view-edit #body {
        grid-size: 1 2; grid-rows: 1fr 8;
        #results { display: none; }
    }
    &.-view-debug #body { grid-size: 1 1; #debug { display: block; } }
    &.-view-debug Footer { display: none; }
    ViewTab { padding: 0; margin: 0 0 0 1; }
    &.-view-score #body { grid-size: 1 1; #score { display: block; } }
}

/* one pane alone */
PlayScreen.-alone #body { layout: vertical !important; }
PlayScreen.-alone #body > * { display: none !important; }
PlayScreen.-alone #body > .-maximised { display: block !important; }

/* mid: problems and score stay at the side */
PlayScreen.-mid #body {
    grid-size: 2 3;
    grid-columns: 32 1fr;
    grid-rows: 14 1fr 10;
    #problems { display: block; row-span: 2; }
    #score { display: block; }
}
PlayScreen.-mid.-short #body { grid-rows: 7 1fr 7; }
PlayScreen.-mid.-work-edit #body { #statement, #program, #results { display: block; } }
PlayScreen.-mid.-work-debug #body #debug { display: block; row-span: 3; }
PlayScreen.-mid.-view-score #body {
    grid-size: 2 1;
    grid-rows: 1fr;
    #problems { row-span: 1; }
}

/* what is made of a source stands beside it */
PlayScreen.-mid.-writing.-work-edit #body {
    grid-size: 3 3;
    grid-columns: 32 3fr 2fr;
    #generated { display: block; }
    #statement, #results { column-span: 2; }
}
PlayScreen.-mid.-writing.-no-problem.-work-edit #body {
    grid-size: 3 2;
    grid-rows: 1fr 10;
    #statement { display: none; }
    #problems { row-span: 1; }
}
PlayScreen.-mid.-writing.-view-score #body { grid-size: 2 1; grid-columns: 32 1fr; }

/* a lesson's text stands at the side while it is taken */
PlayScreen.-mid.-lesson #body {
    grid-size: 2 2;
    grid-columns: 42 1fr;
    grid-rows: 1fr 10;
    #problems, #statement, #score { display: none; }
    #lesson { display: block; row-span: 2; }
}
PlayScreen.-mid.-lesson.-short #body { grid-rows: 1fr 7; }
PlayScreen.-mid.-lesson.-work-debug #body #debug { row-span: 2; }
PlayScreen.-mid.-view-learn #body {
    grid-size: 2 1;
    grid-columns: 34 1fr;
    grid-rows: 1fr;
    #problems, #statement, #score { display: none; }
    #lessons, #lesson { display: block; row-span: 1; }
}

/* wide: the statement has a column of its own */
PlayScreen.-wide #body {
    grid-size: 3 2;
    grid-columns: 34 52 1fr;
    grid-rows: 1fr 24;
    #problems, #score { display: block; }
    #statement { display: block; row-span: 2; }
}
PlayScreen.-wide.-short #body { grid-rows: 1fr 8; }
PlayScreen.-wide.-high #body {
    grid-rows: 1fr 26;
    #problems { row-span: 2; }
    #statement { row-span: 1; }
}
PlayScreen.-wide.-view-score #body { grid-size: 3 1; grid-rows: 1fr; }
PlayScreen.-wide.-view-score #body #problems, PlayScreen.-wide.-view-score #body #statement {
    row-span: 1;
}
PlayScreen.-wide.-work-edit #body { #program, #results { display: block; } }
PlayScreen.-wide.-work-debug #body #debug { display: block; row-span: 2; }
PlayScreen.-wide.-writing.-work-edit #body {
    grid-size: 4 2;
    grid-columns: 34 52 3fr 2fr;
    #generated { display: block; }
    #results { column-span: 2; }
}
/* the source stands between the statement and the program: the list of problems makes room */
PlayScreen.-wide.-sourced.-work-debug #body {
    grid-size: 2 2;
    grid-columns: 52 1fr;
    #problems { display: none; }
    #statement { row-span: 1; }
}
PlayScreen.-wide.-sourced.-no-problem.-work-debug #body {
    grid-size: 1 1;
    grid-rows: 1fr;
    grid-columns: 1fr;
    #statement, #score { display: none; }
    #debug { row-span: 1; }
}
PlayScreen.-wide.-lesson #body, PlayScreen.-wide.-view-learn #body {
    #problems, #statement { display: none; }
    #lessons { display: block; }
    #lesson { display: block; row-span: 2; }
}
PlayScreen.-wide.-view-learn #body { grid-columns: 34 1fr; grid-size: 2 2; }
"""
