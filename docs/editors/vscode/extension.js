// Starts "pica200 lsp" and joins it to the editor.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("pica200").get("path");
  client = new LanguageClient(
    "pica200",
    "PICA200 shaders",
    { command, args: ["lsp"] },
    { documentSelector: [{ language: "pica" }] },
  );
  return client.start();
};

exports.deactivate = () => client && client.stop();
