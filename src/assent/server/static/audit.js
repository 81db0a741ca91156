/* The journal: everything that was decided, and whether nobody changed it since. */

import { get, query } from "./api.js";
import { dialog } from "./dialogs.js";
import { fill, h, icon, text } from "./dom.js";
import { count, whole } from "./format.js";
import { empty, head } from "./page.js";
import { choice, narrowedBy, searchBox, timeline } from "./timeline.js";

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
  const box = searchBox("Search the journal");
  const kind = choice("Kind", { "": "Every kind" });
  const verdict = choice("Outcome", VERDICTS);
  const chain = h("div", { class: "card chain", role: "status" });
  const { parts, load } = timeline({
    page,
    key: "seq",
    time: "time",
    entry,
    nothing: () =>
      empty("audit", "Nothing found", box.value ? "Try fewer words." : "Decisions and answers are written down here."),
  });
  fill(
    root,
    head("Audit", "The journal of every decision. Each record holds the hash of the one before it."),
    chain,
    h("div", { class: "tools" }, box, kind, verdict),
    parts,
  );

  async function page(skip) {
    const asked = { search: box.value.trim(), kind: kind.value, verdict: verdict.value, skip };
    const found = await get(query("/api/audit", asked));
    if (kind.options.length === 1) kind.append(...found.kinds.map((name) => h("option", { value: name }, name)));
    return { ...found, rows: found.records };
  }

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

  await load();
  verify().catch(() => fill(chain, icon("chain"), h("div", {}, h("strong", {}, "The journal could not be read"))));
  narrowedBy(box, [kind, verdict], load);
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
