/* Nobody decides by accident: a click or key counts only when what it decides about has stood still for a while. */

export const SETTLE = 400;
let moved = performance.now();
let timer = 0;

/** Something appeared or moved: start waiting again. */
export function stir() {
  moved = performance.now();
  clearTimeout(timer);
  mark();
  timer = setTimeout(mark, SETTLE + 10);
}

function mark() {
  document.body.dataset.settling = performance.now() - moved < SETTLE ? "yes" : "no";
}

/** Whether an event happened long enough after the last change on the screen. Held keys never count. */
export function settled(event) {
  return event.isTrusted && !event.repeat && event.timeStamp - moved >= SETTLE;
}

/** A handler that is deaf while things settle. */
export function deliberate(handler) {
  return (event) => {
    if (settled(event)) handler(event);
    else event.preventDefault();
  };
}

document.addEventListener("visibilitychange", () => document.hidden || stir());
window.addEventListener("resize", stir);
