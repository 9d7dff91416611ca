/** A moment as people and tables like it: `2026-01-31 12:00:05 UTC`. */
export function formatTime(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
