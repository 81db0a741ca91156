/* Times and names as people say them. */

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", hour12: false });

export const clock = (at) => CLOCK.format(at * 1000);
export const whole = (at) => WHOLE.format(at * 1000);

export function day(at, now) {
  const days = Math.round((midnight(now) - midnight(at)) / 86400e3);
  return days === 0 ? "Today" : days === 1 ? "Yesterday" : DAY.format(at * 1000);
}

function midnight(at) {
  return new Date(at * 1000).setHours(0, 0, 0, 0);
}

export function ago(at, now) {
  const seconds = Math.max(0, Math.round(now - at));
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return whole(at);
}

export function left(seconds) {
  const rest = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
}

export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

const SCOPES = {
  once: "once",
  "15min": "for 15 minutes",
  session: "for this session",
  project: "for this project",
  user: "for all your projects",
};
export const scope = (name) => SCOPES[name] || name;

/** How a request ended, in one line. */
export function ended(row) {
  const said = row.answer;
  if (said)
    return `${said.approved ? "Approved" : "Denied"}${said.approved ? ` ${scope(said.scope)}` : ""} by ${said.by}, ${over(said.via)}`;
  if (row.state === "expired") return "Expired: nobody answered in time";
  if (row.state === "cancelled") return `Cancelled${row.note ? `: ${row.note}` : ""}`;
  return "No longer waiting";
}

const CHANNELS = { web: "in the inbox", terminal: "in a terminal", callback: "by the program", webhook: "by webhook" };
export const over = (via) => CHANNELS[via] || `over ${via}`;
