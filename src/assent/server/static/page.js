/* What every page has: its head, and what it says where there is nothing to list. */

import { h, icon } from "./dom.js";

export function head(title, ...said) {
  return h("header", { class: "head" }, h("div", {}, h("h1", {}, title), h("p", {}, said)));
}

export function empty(picture, title, said) {
  return h("div", { class: "empty" }, icon(picture), h("h2", {}, title), h("p", {}, said));
}
