/** A text without the mark that some editors begin files with; it says how bytes are to be read, and is no part of the text. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
