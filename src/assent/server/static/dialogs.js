/* Questions in front of a page. Nothing in them is chosen beforehand: the heading has the focus, Enter does nothing. */

import { h } from "./dom.js";
import { deliberate, stir } from "./settle.js";

export function dialog(title, body, buttons) {
  const heading = h("h2", { tabindex: "-1", id: "dialog-title" }, title);
  const made = h("dialog", { "aria-labelledby": "dialog-title" });
  const close = () => made.close();
  const actions = buttons.map(({ label, kind, act, hint }) =>
    h(
      "button",
      { type: "button", class: `button ${kind || ""}`, onclick: act ? deliberate(() => act(close)) : close },
      label,
      hint && h("kbd", {}, hint),
    ),
  );
  made.append(
    h("div", { class: "dialog" }, heading, body, actions.length ? h("div", { class: "actions" }, actions) : null),
  );
  made.addEventListener("close", () => made.remove());
  made.addEventListener("click", (event) => event.target === made && close());
  document.body.append(made);
  made.showModal();
  heading.focus();
  stir();
  return made;
}

export const isOpen = () => document.querySelector("dialog[open]") !== null;

const SHORTCUTS = [
  [
    "A request",
    [
      ["y Enter", "approve once"],
      ["n Enter", "deny"],
      ["r Enter", "deny and say why"],
      ["m Enter", "allow for longer"],
    ],
  ],
  [
    "Moving",
    [
      ["j", "next"],
      ["k", "previous"],
      ["x", "check a row"],
      ["Esc", "back, leave it waiting"],
    ],
  ],
  [
    "Going",
    [
      ["g i", "inbox"],
      ["g h", "history"],
      ["g g", "grants"],
      ["g s", "sessions"],
      ["g a", "audit"],
      ["g e", "explain"],
    ],
  ],
  [
    "Anywhere",
    [
      ["/", "search"],
      ["?", "this help"],
    ],
  ],
];

export function help() {
  const groups = SHORTCUTS.map(([name, rows]) => [
    h("h3", {}, name),
    rows.map(([keys, what]) =>
      h(
        "div",
        {},
        what,
        h(
          "span",
          { class: "nowrap" },
          keys.split(" ").map((key) => [h("kbd", {}, key), " "]),
        ),
      ),
    ),
  ]);
  dialog("Keyboard", h("div", { class: "shortcuts" }, groups), [{ label: "Close" }]);
}
