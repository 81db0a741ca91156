/* What happened, by day and the latest first: a search box, choices that narrow it, a button for what is older. */

import { fill, h } from "./dom.js";
import { day } from "./format.js";
import * as live from "./live.js";

const TYPING = 180;

export function searchBox(hint) {
  return h("input", {
    type: "search",
    class: "field search",
    placeholder: hint,
    "aria-label": "Search",
    spellcheck: "false",
  });
}

/** A choice among values with names: `{ "": "Any outcome", denied: "Denied" }`. */
export function choice(label, names) {
  const options = Object.entries(names).map(([value, name]) => h("option", { value }, name));
  return h("select", { class: "field", "aria-label": label }, options);
}

/**
 * A list and its foot, filled by `load()`. `page(older)` asks for rows as `{ now, next, rows }`, `key` and `time` name
 * their fields, `entry(row)` draws one and `nothing()` stands for none.
 */
export function timeline({ page, key, time, entry, nothing }) {
  const shown = new Map();
  const list = h("div", {});
  const foot = h("div", { class: "foot" });
  let next = null;

  async function load(more = false) {
    const found = await page(more ? next : "");
    live.heard(found.now);
    if (!more) shown.clear();
    for (const row of found.rows) shown.set(row[key], row);
    next = found.next;
    draw();
  }

  function draw() {
    fill(list, shown.size ? byDay() : nothing());
    fill(foot, next ? h("button", { type: "button", class: "button", onclick: () => load(true) }, "Show older") : null);
  }

  function byDay() {
    const days = new Map();
    for (const row of shown.values()) {
      const name = day(row[time], live.now());
      if (!days.has(name)) days.set(name, []);
      days.get(name).push(row);
    }
    return [...days].map(([name, rows]) => [
      h("h2", { class: "day" }, name),
      h("div", { class: "card table" }, rows.map(entry)),
    ]);
  }

  return { parts: [list, foot], load: () => load() };
}

/** Load again when a choice changes, and when somebody has stopped typing. */
export function narrowedBy(box, choices, load) {
  let timer = 0;
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(load, TYPING);
  });
  for (const one of choices) one.addEventListener("change", load);
}
