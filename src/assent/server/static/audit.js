/* The journal: everything that was decided, and whether nobody changed it since. */

import { get, query } from "./api.js";
import { dialog } from "./dialogs.js";
import { fill, h, icon, text } from "./dom.js";
import { count, day, whole } from "./format.js";
import { later } from "./later.js";
import * as live from "./live.js";

const VERDICTS = { "": "Any outcome", allow: "Allowed", ask: "Asked", deny: "Denied", expired: "Expired" };
const TIME = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});
const KINDS = {
  allow: "allow",
  approved: "allow",
  deny: "deny",
  denied: "deny",
  ask: "ask",
  expired: "ask",
  cancelled: "ask",
};

export async function open(root) {
  const shown = new Map();
  let next = null;
  const box = h("input", {
    type: "search",
    class: "field search",
    placeholder: "Search the journal",
    "aria-label": "Search",
    spellcheck: "false",
  });
  const kind = h("select", { class: "field", "aria-label": "Kind" }, h("option", { value: "" }, "Every kind"));
  const verdict = h(
    "select",
    { class: "field", "aria-label": "Outcome" },
    Object.entries(VERDICTS).map(([value, name]) => h("option", { value }, name)),
  );
  const chain = h("div", { class: "card chain", role: "status" });
  const list = h("div", {});
  const foot = h("div", { class: "foot" });
  fill(
    root,
    h(
      "header",
      { class: "head" },
      h(
        "div",
        {},
        h("h1", {}, "Audit"),
        h("p", {}, "The journal of every decision. Each record holds the hash of the one before it."),
      ),
    ),
    chain,
    h("div", { class: "tools" }, box, kind, verdict),
    list,
    foot,
  );

  async function verify() {
    fill(chain, icon("chain"), h("div", {}, h("strong", {}, "Looking at every record…")));
    const found = await get("/api/audit/verify");
    chain.classList.toggle("broken", !found.ok);
    const said = found.ok
      ? [
          h("strong", {}, found.records ? "The chain is whole" : "The journal is empty"),
          h(
            "span",
            { class: "muted small" },
            `${count(found.records, "record")} in ${count(found.files, "file")}, none changed, none missing`,
          ),
        ]
      : [
          h("strong", {}, `The journal was changed: ${count(found.problems.length, "problem")}`),
          h(
            "ul",
            { class: "small" },
            found.problems
              .slice(0, 5)
              .map((one) =>
                h("li", {}, text(`${one.file}:${one.line} ${one.seq ? `record ${one.seq} ` : ""}${one.what}`)),
              ),
          ),
        ];
    fill(
      chain,
      icon("chain"),
      h("div", {}, said),
      h("button", { type: "button", class: "button little", onclick: verify }, "Verify again"),
    );
  }

  async function load(more = false) {
    const found = await get(
      query("/api/audit", {
        search: box.value.trim(),
        kind: kind.value,
        verdict: verdict.value,
        skip: more ? next : "",
      }),
    );
    live.heard(found.now);
    if (kind.options.length === 1) kind.append(...found.kinds.map((name) => h("option", { value: name }, name)));
    if (!more) shown.clear();
    for (const row of found.records) shown.set(row.seq, row);
    next = found.next;
    draw();
  }

  function draw() {
    const days = new Map();
    for (const row of shown.values()) {
      const name = day(row.time, live.now());
      if (!days.has(name)) days.set(name, []);
      days.get(name).push(row);
    }
    fill(
      list,
      [...days].map(([name, rows]) => [
        h("h2", { class: "day" }, name),
        h("div", { class: "card table" }, rows.map(entry)),
      ]),
    );
    if (!shown.size)
      fill(
        list,
        h(
          "div",
          { class: "empty" },
          icon("audit"),
          h("h2", {}, "Nothing found"),
          h("p", {}, box.value ? "Try fewer words." : "Decisions and answers are written down here."),
        ),
      );
    fill(foot, next ? h("button", { type: "button", class: "button", onclick: () => load(true) }, "Show older") : null);
  }

  await load();
  verify().catch(() => fill(chain, icon("chain"), h("div", {}, h("strong", {}, "The journal could not be read"))));
  box.addEventListener(
    "input",
    later(() => load()),
  );
  kind.addEventListener("change", () => load());
  verdict.addEventListener("change", () => load());
  return {};
}

function entry(row) {
  return h(
    "button",
    { type: "button", class: "entry opens", onclick: () => detail(row) },
    h(
      "span",
      row.outcome ? { class: "verdict", "data-verdict": KINDS[row.outcome] || "ask" } : { class: "state" },
      text(row.outcome || row.kind),
    ),
    h(
      "div",
      {},
      h("code", { class: "mono" }, text(row.said || row.kind)),
      h(
        "div",
        { class: "meta" },
        h("span", {}, row.kind),
        row.agent && h("span", { class: "dot" }, text(row.agent)),
        row.session && h("span", { class: "dot" }, "session ", text(row.session)),
        row.by && h("span", { class: "dot" }, text(row.by)),
      ),
    ),
    h("div", { class: "side numeric" }, h("span", {}, TIME.format(row.time * 1000)), h("span", {}, `#${row.seq}`)),
  );
}

async function detail(row) {
  const found = await get(`/api/audit/${encodeURIComponent(row.id)}`);
  const record = found.records.find((one) => one.seq === row.seq) || found.records[0];
  dialog(
    `Record ${record.seq}`,
    [
      h("p", {}, `${record.kind} · ${whole(record.time)}`),
      h(
        "dl",
        { class: "fields" },
        record.fields.map(([name, value]) => [h("dt", {}, text(name)), h("dd", {}, text(value))]),
      ),
    ],
    [{ label: "Close" }],
  );
}
