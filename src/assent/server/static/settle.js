/* Nobody decides by accident. A click or key counts only when what it decides about has stood still for a while. A letter
   answers only when it stands alone: no other key shortly before or after it. A sentence that somebody types answers
   nothing, wherever it begins. */

export const SETTLE = 400;
/* After a letter that meant nothing somebody writes a sentence, however slowly: this long nothing counts. */
export const WRITING = 1500;
const MODIFIERS = ["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock"];
const FIELDS = "textarea, select, [contenteditable], input:not([type=checkbox]):not([type=radio])";
let moved = performance.now();
let pressed = -Infinity;
let writing = -Infinity;
let alone = false; // whether the last key came after a quiet time, and nothing has moved since
let held = 0;
let timer = 0;

const ready = () => Math.max(moved + SETTLE, pressed + SETTLE, writing);

/** Something appeared or moved: start waiting again, and forget what was not answered yet. */
export function stir() {
  moved = performance.now();
  alone = false;
  drop();
  watch();
}

function watch() {
  clearTimeout(timer);
  mark();
  timer = setTimeout(mark, Math.max(0, ready() - performance.now()) + 10);
}

function mark() {
  document.body.dataset.settling = held || performance.now() < ready() ? "yes" : "no";
}

function drop() {
  const was = held;
  clearTimeout(held);
  held = 0;
  return Boolean(was);
}

/** Every key, before anybody else hears of it. */
function hear(event) {
  if (MODIFIERS.includes(event.key) || (event.repeat && held)) return;
  alone = event.isTrusted && !event.repeat && !held && event.timeStamp >= ready();
  if (drop() || event.timeStamp < writing) stray(event);
  pressed = event.timeStamp;
  watch();
}

/** A letter that came too early or means nothing here: somebody writes, and every further key goes on with it. */
export function stray(event) {
  if (event.target.closest && event.target.closest(FIELDS)) return;
  writing = event.timeStamp + WRITING;
  watch();
  window.dispatchEvent(new CustomEvent("assent-writing"));
}

/** Whether an event happened long enough after the last change on the screen and the last key. Held keys never count. */
export function settled(event) {
  if (!event.isTrusted || event.repeat) return false;
  const byKey = event.type === "keydown" || (event.detail === 0 && event.timeStamp - pressed < 1000);
  return byKey ? alone : event.timeStamp >= ready();
}

/** Do it once no other key has come for a while. */
export function whenAlone(act) {
  drop();
  held = setTimeout(() => {
    held = 0;
    mark();
    act();
  }, SETTLE);
  mark();
}

/** A handler that is deaf while things settle. */
export function deliberate(handler) {
  return (event) => {
    if (settled(event)) handler(event);
    else event.preventDefault();
  };
}

window.addEventListener("keydown", hear, true);
document.addEventListener("visibilitychange", stir);
window.addEventListener("resize", stir);
