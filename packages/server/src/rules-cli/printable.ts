/** A text that comes from others without what a terminal might obey. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
