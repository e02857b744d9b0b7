/** The dialogs that every view shares: settings, help and the question about recording. */

import { RULES } from "../model/descriptions.js";
import { exportProgress, importProgress } from "../model/progress.js";
import { read, write } from "../model/storage.js";
import { goalInside, goalLine, pieceShape, wallShapes } from "./board-shapes.js";
import { announce, button, checkbox, chooseFile, download, fill, h, s, toast } from "./dom.js";

const THEMES = [["auto", "Like the system"], ["light", "Light"], ["dark", "Dark"]];
const PALETTES = [["benchmark", "Benchmark"], ["safe", "Colour-blind safe, with patterns"]];

const CELL = [[0, 0]];
const piece = (kind) => s("g", { class: `piece ${kind}` }, pieceShape(CELL, kind));
/** @type {[() => any, string][]} */
const LEGEND = [
  [() => piece("agent"), "You"],
  [() => piece("target"), "An object that has an outline"],
  [() => [goalInside(CELL), goalLine(CELL)], "Its outline"],
  [() => piece("movable"), "A loose object: in the way, or a tool"],
  [() => wallShapes(CELL, "wall"), "A wall stops everything"],
  [() => wallShapes(CELL, "agent-wall"), "An agent wall stops only you"],
];

const BY_POINTER =
  "Click or tap a free cell to walk there, and what stands next to you to push it. Drag an object to have " +
  "it pushed. On a touch screen, rest your finger on the object first; swipe to move, and hold to go on.";
const DRAWING =
  "Choose a tool and draw with the pointer, or with the keys below. A stroke that begins on or beside " +
  "an object continues it, and one elsewhere begins a new object; choose an object by its name to give " +
  "it parts that lie apart. A goal always has the shape of its object. What you draw is " +
  "saved in this browser. Zoom with two fingers, or with Ctrl and the wheel; scroll with two " +
  "fingers, or with the tool Move on an empty cell.";
const ZOOM_ROW = [["+", "−", "0"], "Zoom in, zoom out, show all; also with two fingers"];
const EDIT_KEYS = [
  [["1", "–", "7"], "Choose a tool"],
  [["←", "↑", "→", "↓"], "Move the cursor"],
  [["Space"], "Use the tool"],
  [["Delete"], "Clear the cell"],
  [["Z"], "Undo"],
  [["Y"], "Redo"],
  ZOOM_ROW,
];
const WATCH_KEYS = [
  [["Space"], "Play and pause"],
  [["←", "→"], "One move back or on"],
  [["Home", "End"], "To the start or the end"],
  ZOOM_ROW,
];

/** Shows the buttons at the top of the page, and further ones. */
export function showTopActions(onHelp, onSettings, ...others) {
  const kind = "shrinks";
  const help = button({ icon: "help", text: "Help", kind, keys: "?", id: "help" }, onHelp);
  const settings = button({ icon: "settings", text: "Settings", kind }, onSettings);
  fill(document.getElementById("top-actions"), help, settings, others);
}

/** Applies the chosen theme and palette. */
export function applySettings() {
  const root = document.documentElement;
  root.dataset.theme = read("theme", "auto");
  root.dataset.palette = read("palette", "benchmark");
}

/** Opens the dialog with the settings; `onChange` is called when the view must be reopened. */
export function openSettings({ site, recorder = null }, onChange = () => {}) {
  const recording = site.recording && [
    h("h3", {}, "Recording"),
    h("p", {}, site.consent),
    checkbox("Record my games", recorder.answer === true, (agreed) => {
      recorder.decide(agreed);
      if (agreed) onChange();
    }),
  ];
  const forget = button({ text: "Forget it" }, () => {
    if (!confirm("Forget which puzzles you have solved, and all unfinished games?")) return;
    write("progress", null);
    announce("Your progress is forgotten.");
    onChange();
  });
  const save = button({ icon: "download", text: "Save to a file" }, () =>
    download("pushworld-progress.json", new Blob([exportProgress()], { type: "application/json" })),
  );
  const load = button({ icon: "upload", text: "Load from a file" }, async () => {
    const { name, bytes } = await chooseFile(".json,application/json");
    dialog.close();
    try {
      importProgress(new TextDecoder().decode(bytes));
      await onChange();
      toast("Your progress is loaded.");
    } catch (error) {
      toast(`${name}: ${error.message}.`);
    }
  });
  const dialog = openDialog("Settings", [
    choice("Theme", "theme", THEMES, "auto"),
    choice("Colours", "palette", PALETTES, "benchmark"),
    recording,
    !site.study && [
      h("h3", {}, "My progress"),
      h("p", {}, "It is kept in this browser only. A file takes it to another one."),
      h("div", { class: "row" }, save, load, forget),
    ],
    h("p", { class: "quiet" }, `PushWorld ${site.version}`),
  ]);
}

/** Opens the dialog that asks whether games may be recorded; `onAgree` is called if they may. */
export function openConsent({ site, recorder }, onAgree) {
  const answer = (agreed) => {
    recorder.decide(agreed);
    announce(agreed ? "Your games are recorded. Thank you." : "Nothing is recorded.");
    if (agreed) onAgree();
  };
  ask("May your games be recorded?", site.consent, ["No, just play", "Yes, record"], answer).classList.add("consent");
}

/** Opens a dialog with two answers, no and yes; `onAnswer` is called with whether it was yes. */
export function ask(title, text, answers, onAnswer) {
  const choose = (isYes) => {
    dialog.close();
    onAnswer(isYes);
  };
  const buttons = answers.map((answer, i) =>
    button({ text: answer, kind: i ? "primary" : "" }, () => choose(i === 1)),
  );
  const dialog = openDialog(title, h("p", {}, text), buttons);
  return dialog;
}

/** Opens the help of a view: its keys, and the rules of the game with the tools that there are. */
export function openHelp(view, tools) {
  if (view === "watch") openDialog("How to watch", [keyTable(WATCH_KEYS)]);
  else if (view === "edit") openDialog("How to draw", [h("p", {}, DRAWING), keyTable(EDIT_KEYS)]);
  else openRules(tools);
}

function openRules(tools = { undo: true, reset: true, hints: true, free: true }) {
  openDialog("How to play", [
    h("p", {}, RULES),
    h("ul", { class: "legend" },
      LEGEND.map(([shapes, text]) =>
        h("li", {}, s("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" }, shapes()), text),
      ),
    ),
    h("p", {}, BY_POINTER),
    keyTable([
      [["←", "↑", "→", "↓"], "Move, also W A S D"],
      tools.undo && [["Z"], "Undo, also U"],
      tools.undo && [["Y"], "Redo"],
      tools.reset && [["R"], `Reset${tools.undo ? "; redo brings your moves back" : ""}`],
      tools.free && [["N"], "Next puzzle"],
      tools.hints && [["H"], "Hint; again for more"],
      ZOOM_ROW,
      [["P"], "Say where everything is, for screen readers"],
      [["?"], "This help"],
    ]),
  ]);
}

function keyTable(rows) {
  return h("dl", { class: "keys" },
    rows.filter(Boolean).map(([keys, text]) => [
      h("dt", {}, keys.map((key) => h("kbd", {}, key))),
      h("dd", {}, text),
    ]),
  );
}

/** Opens a modal dialog and returns it; closing removes it. */
export function openDialog(title, content, actions) {
  const close = button({ text: "Close", kind: "primary" }, () => dialog.close());
  const dialog = h("dialog", { "aria-label": title },
    // The first thing that takes the focus: a button at the end would scroll the text away.
    h("h2", { tabindex: "-1", autofocus: true }, title),
    content,
    h("div", { class: "row end" }, actions ?? close),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && !actions && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function choice(title, name, options, standard) {
  const chosen = read(name, standard);
  const radios = options.map(([value, text]) => {
    const radio = h("input", { type: "radio", name, value, checked: value === chosen });
    radio.addEventListener("change", () => {
      write(name, value);
      applySettings();
    });
    return h("label", { class: "option" }, radio, text);
  });
  return h("fieldset", {}, h("legend", {}, title), radios);
}
