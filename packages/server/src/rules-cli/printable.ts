/**
 * A text that comes from others without what a terminal might obey: control characters, those that turn the direction of
 * writing or are not seen, and other ends of lines.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}
