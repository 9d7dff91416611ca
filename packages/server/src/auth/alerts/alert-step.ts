/** The state of an alert as it is stored. */
export interface StoredAlert {
  readonly isRaised: boolean;
  /** When `isRaised` last changed. */
  readonly sinceMs: number;
  /** What the latest message said, and when it was sent; `null` before the first message. */
  readonly sent: { readonly isRaised: boolean; readonly atMs: number } | null;
}

/**
 * An alert ends when its figure is below this share of the threshold, so that a figure near the threshold does not
 * raise and end the alert again and again.
 */
const END_SHARE = 0.9;

/** Minimum time between two messages of an alert, in ms. */
export const MESSAGE_INTERVAL_MS = 3_600_000;

/**
 * Returns the state of an alert after a measurement. A message is due if the state differs from the state in the latest
 * message, but at most once an hour. So an alert that is raised and ends within an hour sends the first message
 * immediately and the second an hour later, unless the alert is raised again by then.
 */
export function stepAlert(
  before: StoredAlert | undefined,
  value: number,
  threshold: number,
  nowMs: number,
): { readonly after: StoredAlert | undefined; readonly isDue: boolean } {
  const wasRaised = before?.isRaised ?? false;
  const isRaised = value >= (wasRaised ? threshold * END_SHARE : threshold);
  if (before === undefined && !isRaised) return { after: undefined, isDue: false };
  const sent = before?.sent ?? null;
  const state = { isRaised, sinceMs: isRaised === wasRaised ? (before?.sinceMs ?? nowMs) : nowMs };
  // If the clock has gone back, the time of the latest message is no reason to wait.
  const isRecent = sent !== null && nowMs >= sent.atMs && nowMs - sent.atMs < MESSAGE_INTERVAL_MS;
  const isDue = isRaised !== (sent?.isRaised ?? false) && !isRecent;
  return { after: { ...state, sent: isDue ? { isRaised, atMs: nowMs } : sent }, isDue };
}
