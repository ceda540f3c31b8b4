"""Pictures for reports, drawn as SVG: readable in light, dark and print, and without colours."""
