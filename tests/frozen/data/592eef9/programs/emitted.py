from builders.emitter import Emitter

out = Emitter()
out.variable("letter", "cell[0]")


def number(value):
    with out.on_behalf():  # put it down to the line that calls
        out.emit("[-]" + "+" * value, f"set to {value}")


number(72)
out.emit(".", "print H")
for value in (105, 10):
    number(value)
    out.emit(".", "print it")
out.write("emitted.bf")
