/* What a request looks like, in the order in which a person should read it. */

import { danger, fragments, h, icon, text, words } from "./dom.js";
import { clock, count } from "./format.js";

export function back(place) {
  return h("nav", { class: "back", "aria-label": "Back" }, h("a", { href: "/" }, icon("back"), "Inbox"), place);
}

export function top(request, time) {
  return h(
    "header",
    {},
    h(
      "div",
      { class: "summary" },
      danger(request.danger),
      h("span", { class: "dot" }, request.undoable ? "can be undone" : "cannot be undone"),
      time,
    ),
    h("h1", { class: "title-line" }, text(request.sentence)),
    h(
      "div",
      { class: "meta" },
      h("span", {}, text(request.agent || "an agent")),
      request.session && h("span", { class: "dot" }, "session ", text(request.session)),
      request.workspace &&
        h(
          "span",
          { class: "dot" },
          text(request.workspace),
          request.branch ? [" (git: ", text(request.branch), ")"] : null,
        ),
      h("span", { class: "dot" }, "mode ", text(request.mode)),
      h("span", { class: "dot" }, `asked ${clock(request.asked_at)}`),
    ),
  );
}

export function body(request, showAll) {
  return [
    request.warnings.length
      ? h(
          "section",
          { class: "callout", "aria-label": "Warnings" },
          h("h2", {}, count(request.warnings.length, "warning")),
          h(
            "ul",
            {},
            request.warnings.map((one) => h("li", {}, words(one))),
          ),
        )
      : null,
    what(request, showAll),
    request.targets.length
      ? block(
          "What it touches",
          h(
            "dl",
            { class: "targets" },
            request.targets.map(([effect, found]) => [
              h("dt", {}, text(effect)),
              h(
                "dd",
                {},
                found.map((one) => h("code", {}, text(one))),
              ),
            ]),
          ),
        )
      : null,
    request.why.length
      ? block(
          "Why you are asked",
          h(
            "ul",
            { class: "reasons" },
            request.why.map((one) => h("li", {}, words(one))),
          ),
        )
      : null,
    request.suggestion ? block("Mode", h("p", { class: "small muted" }, words(request.suggestion))) : null,
    h(
      "section",
      { class: "block" },
      h("h2", {}, "The agent says", h("span", { class: "tag" }, "unverified")),
      h(
        "div",
        { class: "claim" },
        request.description
          ? h("blockquote", {}, "“", text(request.description), "”")
          : h("span", { class: "muted" }, "Nothing"),
      ),
    ),
    request.trace.length
      ? h(
          "details",
          { class: "more" },
          h("summary", {}, "How this was decided"),
          h(
            "dl",
            { class: "steps" },
            request.trace.map(([step, outcome]) => [h("dt", {}, text(step)), h("dd", {}, text(outcome))]),
          ),
        )
      : null,
  ];
}

const block = (name, ...inside) => h("section", { class: "block" }, h("h2", {}, name), inside);

function what(request, showAll) {
  const cut = request.complete
    ? null
    : h(
        "div",
        { class: "cut" },
        h("span", {}, "Not everything is shown."),
        h("button", { type: "button", class: "button little", onclick: showAll }, "Show all"),
      );
  if (request.sections.length === 1 && !request.sections[0].name) {
    return block(
      "Command",
      h("div", { class: "card command" }, lines(request.sections[0].lines), cut, parts(request.parts)),
    );
  }
  const inputs = request.sections.map((section) =>
    h("div", { class: "named-input" }, h("h3", {}, text(section.name || "command")), lines(section.lines)),
  );
  return block(
    request.tool ? text(request.tool) : "Command",
    h("div", { class: "card command" }, inputs, cut, parts(request.parts)),
  );
}

function lines(list) {
  return h(
    "ol",
    { class: list.length === 1 ? "single" : "", tabindex: "0", "aria-label": "Everything that would run" },
    list.map((line) =>
      h(
        "li",
        { "data-mark": line.mark || null },
        h("span", { class: "line", "aria-hidden": "true" }, line.mark || (line.number ? String(line.number) : "")),
        h("code", {}, fragments(line.fragments)),
      ),
    ),
  );
}

const VERDICTS = { ok: ["allow", "ok"], ASK: ["ask", "ask"], DENY: ["deny", "deny"] };

function parts(list) {
  if (!list.length) return null;
  return h(
    "ul",
    { class: "parts", "aria-label": "Parts and their verdicts" },
    list.map((part) => {
      const [kind, label] = VERDICTS[part.label] || ["ask", part.label];
      const said = [part.inside && `inside ${part.inside}`, part.why || part.verdict, part.rule]
        .filter(Boolean)
        .join(" · ");
      return h(
        "li",
        {},
        h("span", { class: "verdict", "data-verdict": kind }, label),
        h("code", {}, text(part.text)),
        h("div", { class: "said" }, text(said)),
      );
    }),
  );
}
