/* What would happen to a command: parts, effects, what is not understood, the rules that would change it. Runs nothing. */

import { post } from "./api.js";
import { fill, h, text, words } from "./dom.js";
import { empty, head } from "./page.js";
import { deliberate } from "./settle.js";

const SAID = { allow: "Runs", ask: "Asks", deny: "Denied" };

export async function open(root) {
  const command = h("textarea", {
    class: "field mono",
    rows: "4",
    spellcheck: "false",
    autocapitalize: "off",
    placeholder: "cd build && rm -rf cache",
    "aria-label": "Command",
  });
  const cwd = h("input", { class: "field mono", placeholder: "~", spellcheck: "false", autocapitalize: "off" });
  const workspace = h("input", {
    class: "field mono",
    placeholder: "found from the folder",
    spellcheck: "false",
    autocapitalize: "off",
  });
  const mode = h(
    "select",
    { class: "field" },
    [
      ["", "of the policy"],
      ["default", "default"],
      ["plan", "plan"],
      ["full_auto", "full auto"],
    ].map(([value, name]) => h("option", { value }, name)),
  );
  const out = h("div", { "aria-live": "polite" });

  async function ask() {
    if (!command.value.trim()) return command.focus();
    try {
      const found = await post("/api/explain", {
        command: command.value,
        cwd: cwd.value.trim(),
        workspace: workspace.value.trim(),
        mode: mode.value,
      });
      fill(out, answer(found));
    } catch (error) {
      fill(
        out,
        h(
          "div",
          { class: "callout" },
          h("h2", {}, text(error.message)),
          error.help ? h("p", {}, text(error.help)) : null,
        ),
      );
    }
  }

  command.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) ask();
  });
  fill(
    out,
    empty("explain", "Nothing is run", "Paste a command to see how it would be judged here, part by part."),
  );
  fill(
    root,
    head("Explain", "How would this command be judged, and what would have to change for another answer?"),
    command,
    h(
      "div",
      { class: "three" },
      h("label", { class: "named" }, "Folder", cwd),
      h("label", { class: "named" }, "Project", workspace),
      h("label", { class: "named" }, "Mode", mode),
    ),
    h("button", { type: "button", class: "button", onclick: deliberate(ask) }, "Explain", h("kbd", {}, "Ctrl Enter")),
    out,
  );
  return { shown: () => command.focus() };
}

function answer(found) {
  const others = Object.entries(found.modes).filter(
    ([name, verdict]) => name !== found.mode && verdict !== found.verdict,
  );
  const change = [
    ...others.map(([name, verdict]) => [
      "In ",
      h("strong", {}, name.replace("_", " ")),
      ` mode: ${SAID[verdict].toLowerCase()}`,
    ]),
    ...found.suggestions.map((rule) => ["With the rule ", h("code", {}, text(rule))]),
    ...(found.together.length
      ? [
          [
            "With the rules ",
            found.together.map((rule, at) => [at ? " and " : "", h("code", {}, text(rule))]),
            " together",
          ],
        ]
      : []),
  ];
  return [
    h(
      "div",
      { class: "answerline" },
      h("span", { class: "verdict", "data-verdict": found.verdict }, SAID[found.verdict]),
      h("h2", {}, words(found.reason)),
    ),
    h(
      "div",
      { class: "meta" },
      h("span", {}, `mode ${found.mode.replace("_", " ")}`),
      h("span", { class: "dot" }, text(found.cwd)),
      found.workspace ? h("span", { class: "dot" }, "project ", text(found.workspace)) : null,
      found.rule_source ? h("span", { class: "dot" }, text(found.rule_source)) : null,
    ),
    [...found.problems, ...found.notices].length
      ? h(
          "div",
          { class: "callout" },
          h(
            "ul",
            {},
            [...found.problems, ...found.notices].map((one) => h("li", {}, words(one))),
          ),
        )
      : null,
    found.parts.length
      ? block("Parts", h("div", { class: "card command" }, h("ul", { class: "parts" }, found.parts.map(part))))
      : block(
          "Effects",
          h(
            "ul",
            { class: "reasons" },
            found.effects.map((one) => h("li", {}, `${one.kind} `, h("code", {}, text(one.target)))),
            found.gaps.map((one) => h("li", { class: "warned" }, "not understood: ", text(one))),
          ),
        ),
    block(
      "Reasons",
      h(
        "ul",
        { class: "reasons" },
        found.reasons.map((one) =>
          h(
            "li",
            {},
            h("strong", {}, `${SAID[one.verdict]}: `),
            words(one.text),
            one.source ? h("span", { class: "muted" }, " ", text(one.source)) : null,
          ),
        ),
      ),
    ),
    block(
      "What would change it",
      change.length
        ? h(
            "ul",
            { class: "reasons" },
            change.map((one) => h("li", {}, one)),
          )
        : h("p", { class: "muted" }, "No mode and no single rule."),
    ),
    h(
      "details",
      { class: "more" },
      h("summary", {}, "Every step"),
      h(
        "dl",
        { class: "steps" },
        [...found.trace.map((one) => [one.step, one.outcome]), ...found.steps].map(([step, outcome]) => [
          h("dt", {}, text(step)),
          h("dd", {}, text(outcome)),
        ]),
      ),
    ),
  ];
}

const block = (name, inside) => h("section", { class: "block" }, h("h2", {}, name), inside);

function part(one) {
  return h(
    "li",
    {},
    h("span", { class: "verdict", "data-verdict": one.verdict }, one.verdict === "allow" ? "ok" : one.verdict),
    h("code", {}, text(one.text)),
    h(
      "ul",
      { class: "effects" },
      one.inside.length ? h("li", { class: "muted" }, `inside ${one.inside.join(" › ")}`) : null,
      one.effects.map((effect) => h("li", {}, text(effect))),
      one.gaps.map((gap) => h("li", { class: "gap" }, text(gap))),
    ),
  );
}
