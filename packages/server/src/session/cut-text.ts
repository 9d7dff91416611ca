/** The start of a text, without keeping all of a longer one in memory as a slice of it would. */
export function cutText(text: string, maxUnits: number): string {
  return text.length <= maxUnits ? text : Buffer.from(text.slice(0, maxUnits)).toString();
}
