/** A text that takes at most so many bytes as JSON, quotes included; a longer one is cut, and ends in `…`. */
export function cutText(text: string, maxBytes: number): string {
  // Not even a look is taken at what is beyond.
  if (text.length <= maxBytes && jsonBytes(text) <= maxBytes) return text;
  let length = Math.min(text.length, maxBytes);
  while (length > 0 && jsonBytes(cutAt(text, length)) > maxBytes) length = Math.floor(length * 0.8);
  return cutAt(text, length);
}

/** Half a surrogate pair is no text. */
function cutAt(text: string, length: number): string {
  return `${text.slice(0, length).toWellFormed()}…`;
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
