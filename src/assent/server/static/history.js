/* What was decided: by whom, when and over which channel; what lasts can be taken back here. */

import { get, query } from "./api.js";
import { fill, h, icon, text } from "./dom.js";
import { clock, day, over, scope } from "./format.js";
import { askRevoke } from "./grants.js";
import * as live from "./live.js";
import { later } from "./later.js";

const STATES = {
  "": "Any outcome",
  approved: "Approved",
  denied: "Denied",
  expired: "Expired",
  cancelled: "Cancelled",
};

export async function open(root) {
  let next = null;
  let shown = new Map();
  const box = h("input", {
    type: "search",
    class: "field search",
    placeholder: "Search commands, agents, people, reasons",
    "aria-label": "Search",
    spellcheck: "false",
  });
  const state = h(
    "select",
    { class: "field", "aria-label": "Outcome" },
    Object.entries(STATES).map(([value, name]) => h("option", { value }, name)),
  );
  const list = h("div", {});
  const foot = h("div", { class: "foot" });
  fill(
    root,
    h(
      "header",
      { class: "head" },
      h("div", {}, h("h1", {}, "History"), h("p", {}, "Every request that was answered, expired or was cancelled.")),
    ),
    h("div", { class: "tools" }, box, state),
    list,
    foot,
  );

  async function load(more = false) {
    const found = await get(
      query("/api/history", { search: box.value.trim(), state: state.value, before: more ? next : "" }),
    );
    live.heard(found.now);
    if (!more) shown = new Map();
    for (const row of found.requests) shown.set(row.id, row);
    next = found.next;
    draw();
  }

  function draw() {
    const days = new Map();
    for (const row of shown.values()) {
      const name = day(row.decided_at, live.now());
      if (!days.has(name)) days.set(name, []);
      days.get(name).push(row);
    }
    fill(
      list,
      [...days].map(([name, rows]) => [
        h("h2", { class: "day" }, name),
        h(
          "div",
          { class: "card table" },
          rows.map((row) => entry(row, load)),
        ),
      ]),
    );
    if (!shown.size)
      fill(
        list,
        h(
          "div",
          { class: "empty" },
          icon("history"),
          h("h2", {}, box.value || state.value ? "Nothing found" : "No history yet"),
          h(
            "p",
            {},
            box.value || state.value ? "Try fewer words, or any outcome." : "What you approve and deny is listed here.",
          ),
        ),
      );
    fill(foot, next ? h("button", { type: "button", class: "button", onclick: () => load(true) }, "Show older") : null);
  }

  await load();
  box.addEventListener(
    "input",
    later(() => load()),
  );
  state.addEventListener("change", () => load());
  const stop = live.listen((changed) => changed.some((row) => row.state !== "pending") && load());
  return { close: stop };
}

function entry(row, reload) {
  const said = row.answer;
  const who = said ? `${said.by}, ${over(said.via)}` : row.note;
  return h(
    "div",
    { class: "entry" },
    h("span", { class: "state", "data-state": row.state }, row.state),
    h(
      "div",
      {},
      h("a", { class: "title", href: `/requests/${encodeURIComponent(row.id)}` }, text(row.sentence)),
      h("code", { class: "mono" }, text(row.head)),
      said && said.reason ? h("p", { class: "small" }, "Reason: ", text(said.reason)) : null,
      h(
        "div",
        { class: "meta" },
        h("span", {}, text(row.agent || "an agent")),
        row.session && h("span", { class: "dot" }, "session ", text(row.session)),
        row.workspace && h("span", { class: "dot" }, text(row.workspace)),
      ),
    ),
    h(
      "div",
      { class: "side" },
      h("span", { class: "numeric" }, clock(row.decided_at)),
      h("span", {}, text(who)),
      said && said.approved ? h("span", {}, scope(said.scope)) : null,
      row.grants.map((id) =>
        h(
          "button",
          {
            type: "button",
            class: "button little",
            onclick: () => askRevoke({ id, command: row.head, rules: said ? said.rules : [] }, reload),
          },
          "Revoke…",
        ),
      ),
    ),
  );
}
