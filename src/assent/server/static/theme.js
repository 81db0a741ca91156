/* Light, dark, or as the system says; remembered in this browser. */

const NAME = "assent-theme";
const KINDS = ["system", "light", "dark"];

export const chosen = () => (KINDS.includes(localStorage.getItem(NAME)) ? localStorage.getItem(NAME) : "system");

export function next() {
  localStorage.setItem(NAME, KINDS[(KINDS.indexOf(chosen()) + 1) % KINDS.length]);
  paint();
}

export function paint() {
  if (chosen() === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen();
}
