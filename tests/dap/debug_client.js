"use strict";
// Stories told with Microsoft's own client for tests of debug adapters, which knows nothing of
// esoplay:  node debug_client.js PACKAGES COMMAND FOLDER STORY
// PACKAGES holds node_modules, FOLDER the programs of the stories; COMMAND is esoplay.

const assert = require("node:assert");
const path = require("node:path");
const { createRequire } = require("node:module");

const [packages, command, folder, story] = process.argv.slice(2);
const { DebugClient } = createRequire(path.join(packages, "here.js"))(
  "@vscode/debugadapter-testsupport",
);
const file = (name) => path.join(folder, name);

async function started() {
  const client = new DebugClient(command, "dap", "esoplay");
  client.defaultTimeout = 30_000;
  await client.start();
  return client;
}

// Launch and stand before the first step.
async function opened(launch) {
  const client = await started();
  const stop = client.waitForEvent("stopped");
  await client.launch({ stopOnEntry: true, ...launch });
  await client.configurationDoneRequest();
  assert.equal((await stop).body.reason, "entry");
  return client;
}

// A move, and the stop that it comes to.
async function go(client, move, more = {}) {
  const stop = client.waitForEvent("stopped");
  await client[`${move}Request`]({ threadId: 1, ...more });
  return (await stop).body;
}

async function value(client, expression, context = "watch") {
  return (await client.evaluateRequest({ expression, context })).body.result;
}

async function frames(client) {
  return (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
}

// A variable by the names that lead to it, and the number of what it is in.
async function variable(client, ...names) {
  const frame = (await frames(client))[0].id;
  const { scopes } = (await client.scopesRequest({ frameId: frame })).body;
  let found = scopes.find((one) => one.name === names[0]);
  let inside = 0;
  for (const name of names.slice(1)) {
    inside = found.variablesReference;
    const { variables } = (await client.variablesRequest({ variablesReference: inside })).body;
    found = variables.find((one) => one.name === name);
    assert.ok(found, `${name} among ${variables.map((one) => one.name)}`);
  }
  return { ...found, inside };
}

async function watch(client, ...names) {
  const { inside, name } = await variable(client, ...names);
  const info = await client.dataBreakpointInfoRequest({ variablesReference: inside, name });
  assert.ok(info.body.accessTypes.includes("write"));
  const made = await client.setDataBreakpointsRequest({
    breakpoints: [{ dataId: info.body.dataId, accessType: "write" }],
  });
  assert.ok(made.body.breakpoints[0].verified);
  return made.body.breakpoints[0].id;
}

const stories = {
  async a_breakpoint_is_hit() {
    const client = await started();
    const program = file("sum.bf");
    await client.hitBreakpoint({ program }, { path: program, line: 3 }, { line: 3, column: 1 });
    await client.stop();
  },

  async steps_on_and_back() {
    const client = await opened({ program: file("sum.bf") });
    const at = async (line, column) => {
      const frame = (await frames(client))[0];
      assert.deepEqual([frame.line, frame.column], [line, column]);
    };
    await at(1, 1);
    for (let step = 0; step < 7; step++) {
      assert.equal((await go(client, "stepIn")).reason, "step");
    }
    await at(2, 1);
    await go(client, "stepIn");
    await at(2, 2);
    assert.match((await frames(client))[1].name, /^loop/);
    await go(client, "stepOut");
    await at(3, 1);
    await go(client, "stepBack");
    await at(2, 6);
    assert.equal((await go(client, "reverseContinue")).reason, "entry");
    await client.setBreakpointsRequest({
      source: { path: file("sum.bf") },
      breakpoints: [{ line: 2, column: 1 }],
    });
    assert.equal((await go(client, "continue")).reason, "breakpoint");
    await go(client, "next");
    await at(3, 1);
    await client.stop();
  },

  async all_kinds_of_breakpoints() {
    const client = await opened({ program: file("sum.bf") });
    const source = { path: file("sum.bf") };
    const sources = await client.setBreakpointsRequest({
      source,
      breakpoints: [
        { line: 2, column: 4, condition: "cell[1] == 4" },
        { line: 2, column: 5, hitCondition: "3" },
        { line: 3, logMessage: "the sum is {cell[1]}" },
        { line: 99 },
      ],
    });
    const [condition, hits, , none] = sources.body.breakpoints;
    assert.equal(none.verified, false);
    assert.match(none.message, /line 99/);
    const functions = await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "." }] });
    await client.setExceptionBreakpointsRequest({ filters: [] });
    let stop = await go(client, "continue");
    assert.deepEqual([stop.reason, stop.hitBreakpointIds], ["breakpoint", [condition.id]]);
    assert.equal(await value(client, "cell[1]"), "4");
    stop = await go(client, "continue");
    assert.deepEqual(stop.hitBreakpointIds, [hits.id]);
    const log = client.assertOutput("console", "the sum is 5");
    stop = await go(client, "continue");
    await log;
    assert.equal(stop.reason, "function breakpoint");
    assert.deepEqual(stop.hitBreakpointIds, [functions.body.breakpoints[0].id]);
    await client.stop();
  },

  async backwards_to_a_data_breakpoint_in_brainfuck() {
    const client = await opened({ program: file("sum.bf") });
    assert.equal((await go(client, "continue")).text, "the program ended");
    const id = await watch(client, "tape", "cell[1]");
    for (const expected of ["5", "4", "3", "2", "1"]) {
      const stop = await go(client, "reverseContinue");
      assert.deepEqual([stop.reason, stop.hitBreakpointIds], ["data breakpoint", [id]]);
      assert.equal(await value(client, "cell[1]"), expected);
    }
    assert.equal((await go(client, "reverseContinue")).reason, "entry");
    await client.stop();
  },

  async backwards_to_a_data_breakpoint_in_befunge() {
    const client = await opened({ program: file("store.b98") });
    await go(client, "continue");
    await watch(client, "fungespace", "row 1", "cell[5,1]");
    for (const expected of ["98 'b'", "97 'a'"]) {
      assert.equal((await go(client, "reverseContinue")).reason, "data breakpoint");
      assert.equal(await value(client, "cell[5,1]"), expected);
    }
    await go(client, "stepBack");
    assert.equal(await value(client, "cell[5,1]"), "32");
    await client.stop();
  },

  async variables_are_changed() {
    const client = await opened({ program: file("sum.bf") });
    for (let step = 0; step < 3; step++) {
      await go(client, "stepIn");
    }
    const cell = await variable(client, "tape", "cell[0]");
    assert.equal(cell.value, "3");
    const set = { variablesReference: cell.inside, name: "cell[0]", value: "9" };
    assert.equal((await client.setVariableRequest(set)).body.value, "9");
    await go(client, "continue");
    assert.equal(await value(client, "cell[1]"), "11");
    assert.equal(await value(client, "cell[0] + 1"), "1");
    assert.match(await value(client, ":writes 1", "repl"), /step/);
    await assert.rejects(client.evaluateRequest({ expression: "cell[" }));
    await client.stop();
  },

  async commands_are_completed_in_the_console() {
    const client = await opened({ program: file("sum.bf") });
    const typed = async (text, column) =>
      (await client.completionsRequest({ text, column: column ?? text.length + 1, line: 1 })).body.targets;
    const [first] = await typed(":wat");
    assert.deepEqual([first.label, first.start, first.length], ["watch", 2, 3]);
    assert.ok((await typed(":break cel")).some((one) => one.label === "cell["));
    assert.deepEqual(await typed(":zz"), []);
    await value(client, ":b 3", "repl");
    const stop = client.waitForEvent("stopped");
    await value(client, ":c", "repl");
    assert.equal((await stop).body.reason, "breakpoint");
    assert.equal(await value(client, "step"), "3");
    await client.stop();
  },

  async faults_are_told() {
    const client = await opened({ program: file("bad.bf") });
    const stop = await go(client, "continue");
    assert.equal(stop.reason, "exception");
    const told = await client.exceptionInfoRequest({ threadId: 1 });
    assert.equal(told.body.exceptionId, "tape_underflow");
    await go(client, "stepBack");
    assert.equal(await value(client, "cell[0]"), "0");
    await client.stop();
  },

  async output_says_where_it_was_printed() {
    const client = await started();
    const seen = [];
    client.on("output", (event) => seen.push(event.body));
    const stop = client.waitForEvent("stopped");
    await client.launch({ program: file("copy.bf"), stdin: "hi\nyou\n" });
    await client.configurationDoneRequest();
    await stop;
    assert.deepEqual(
      seen.map((one) => [one.category, one.output, one.line, one.column, one.source.path]),
      [
        ["stdout", "hi\n", 1, 3, file("copy.bf")],
        ["stdout", "you\n", 1, 3, file("copy.bf")],
      ],
    );
    await client.stop();
  },

  async lines_of_a_generator() {
    const client = await opened({ program: file("length.bf"), stdin: "four" });
    const generator = { path: file("length.py") };
    const made = await client.setBreakpointsRequest({ source: generator, breakpoints: [{ line: 5 }] });
    assert.ok(made.body.breakpoints[0].verified);
    for (let count = 0; count < 4; count++) {
      assert.equal((await go(client, "continue")).reason, "breakpoint");
      const frame = (await frames(client))[0];
      assert.deepEqual([frame.source.path, frame.line], [generator.path, 5]);
      assert.equal((await variable(client, "variables", "total")).value, `${count}`);
    }
    const lines = [];
    for (const move of ["next", "next", "stepBack", "stepBack"]) {
      await go(client, move);
      lines.push((await frames(client))[0].line);
    }
    assert.deepEqual(lines, [6, 4, 6, 5]);
    await client.stop();
  },

  async restart_terminate_disconnect() {
    const client = await opened({ program: file("endless.bf") });
    await client.continueRequest({ threadId: 1 });
    assert.equal((await go(client, "pause")).reason, "pause");
    const stop = client.waitForEvent("stopped");
    await client.restartRequest({});
    assert.equal((await stop).body.reason, "entry");
    assert.equal(await value(client, "step"), "0");
    await client.continueRequest({ threadId: 1 });
    const terminated = client.waitForEvent("terminated");
    await client.terminateRequest({});
    await terminated;
    const ended = new Promise((resolve) => client._adapterProcess.on("exit", resolve));
    await client.disconnectRequest({});
    assert.equal(await ended, 0);
  },

  async two_sessions_at_once() {
    const [one, other] = await Promise.all([
      opened({ program: file("sum.bf") }),
      opened({ program: file("store.b98") }),
    ]);
    await Promise.all([go(one, "continue"), go(other, "continue")]);
    assert.equal(await value(one, "cell[1]"), "5");
    assert.equal(await value(other, "cell[5,1]"), "98 'b'");
    await Promise.all([one.stop(), other.stop()]);
  },
};

stories[story]().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
