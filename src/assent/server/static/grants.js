/* What is allowed for longer than once, and the way back. */

import { get, post } from "./api.js";
import { dialog } from "./dialogs.js";
import { fill, h, text, toast } from "./dom.js";
import { ago, clock, count, scope, whole } from "./format.js";
import * as live from "./live.js";
import { empty, head } from "./page.js";

export async function open(root) {
  const list = h("div", {});
  const file = h("code", {});
  fill(
    root,
    head("Grants", "What runs without a question because you said so. Kept in ", file, "."),
    list,
  );

  async function load() {
    const found = await get("/api/grants");
    live.heard(found.now);
    fill(file, text(found.file));
    fill(
      list,
      found.grants.length
        ? h(
            "div",
            { class: "card table" },
            found.grants.map((grant) => entry(grant, load)),
          )
        : empty(
            "grants",
            "No grants",
            "“Allow for longer…” on a request makes one. Everything else is asked about each time.",
          ),
    );
  }

  await load();
  const stop = live.listen((changed) => changed.some((row) => row.state === "approved") && load());
  const timer = setInterval(() => load().catch(() => {}), 10000);
  return {
    close() {
      stop();
      clearInterval(timer);
    },
  };
}

function entry(grant, reload) {
  const used = grant.uses
    ? `used ${count(grant.uses, "time")}, last ${ago(grant.used_at, live.now())}`
    : "not used yet";
  const ends = grant.expires
    ? `ends ${clock(grant.expires)}`
    : grant.fingerprint
      ? "until its files change"
      : "until you revoke it";
  return h(
    "div",
    { class: "entry" },
    h("span", { class: "state" }, { "15min": "15 min" }[grant.scope] || grant.scope),
    h(
      "div",
      {},
      h(
        "div",
        { class: "title mono" },
        grant.rules.length ? grant.rules.map((rule) => h("div", {}, text(rule))) : text(grant.command),
      ),
      grant.rules.length && grant.command
        ? h("div", { class: "small muted" }, "from ", h("code", {}, text(grant.command)))
        : null,
      h(
        "div",
        { class: "meta" },
        grant.workspace && h("span", {}, text(grant.workspace)),
        h("span", { class: grant.workspace ? "dot" : "" }, text(grant.origin)),
        h("span", { class: "dot" }, whole(grant.made)),
        h("span", { class: "dot" }, used),
      ),
    ),
    h(
      "div",
      { class: "side" },
      h("span", {}, ends),
      h("button", { type: "button", class: "button little", onclick: () => askRevoke(grant, reload) }, "Revoke…"),
    ),
  );
}

export function askRevoke(grant, reload) {
  const names = grant.rules.length ? grant.rules : [grant.command];
  dialog(
    "Revoke this grant?",
    [
      h("p", {}, "What it allowed is asked about again, from now on."),
      h(
        "ul",
        { class: "listed" },
        names.map((rule) => h("li", {}, h("code", {}, text(rule)))),
      ),
    ],
    [
      { label: "Keep it", kind: "plain" },
      {
        label: "Revoke",
        kind: "no",
        act: async (close) => {
          close();
          try {
            await post(`/api/grants/${encodeURIComponent(grant.id)}/revoke`);
            toast("Revoked");
          } catch (error) {
            toast(error.message, true);
          }
          await reload();
        },
      },
    ],
  );
}
