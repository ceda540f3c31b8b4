"use strict";
// All that the editor has to be told is which command speaks the protocol.
const vscode = require("vscode");

function activate(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("esoplay", {
      createDebugAdapterDescriptor() {
        const command = vscode.workspace.getConfiguration("esoplay").get("command", "esoplay");
        return new vscode.DebugAdapterExecutable(command, ["dap"]);
      },
    }),
    vscode.debug.registerDebugConfigurationProvider("esoplay", {
      // Without a launch.json, F5 debugs the file of the active editor.
      resolveDebugConfiguration(_folder, configuration) {
        if (configuration.type || !vscode.window.activeTextEditor) {
          return configuration;
        }
        return {
          type: "esoplay",
          request: "launch",
          name: "Debug this program",
          program: "${file}",
          stopOnEntry: true,
        };
      },
    }),
  );
}

module.exports = { activate };
