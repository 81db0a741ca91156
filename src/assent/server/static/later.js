/* Typing first, asking the server afterwards. */

export function later(act, pause = 180) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, pause);
  };
}
