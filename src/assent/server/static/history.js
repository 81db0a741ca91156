/* What was decided: by whom, when and over which channel; what lasts can be taken back here. */

import { get, query } from "./api.js";
import { fill, h, text } from "./dom.js";
import { clock, over, scope } from "./format.js";
import { askRevoke } from "./grants.js";
import * as live from "./live.js";
import { empty, head } from "./page.js";
import { choice, narrowedBy, searchBox, timeline } from "./timeline.js";

const STATES = {
  "": "Any outcome",
  approved: "Approved",
  denied: "Denied",
  expired: "Expired",
  cancelled: "Cancelled",
};

export async function open(root) {
  const box = searchBox("Search commands, agents, people, reasons");
  const state = choice("Outcome", STATES);
  const { parts, load } = timeline({
    page,
    key: "id",
    time: "decided_at",
    entry: (row) => entry(row, load),
    nothing: () =>
      box.value || state.value
        ? empty("history", "Nothing found", "Try fewer words, or any outcome.")
        : empty("history", "No history yet", "What you approve and deny is listed here."),
  });
  fill(
    root,
    head("History", "Every request that was answered, expired or was cancelled."),
    h("div", { class: "tools" }, box, state),
    parts,
  );

  async function page(before) {
    const found = await get(query("/api/history", { search: box.value.trim(), state: state.value, before }));
    return { ...found, rows: found.requests };
  }

  await load();
  narrowedBy(box, [state], load);
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
