/** UTF-16 units of a user ID. */
export const MAX_UID_LENGTH = 128;

/** Does a text have a character that would break a line, or is not seen at all? No user ID has. */
export function hasControls(text: string): boolean {
  return CONTROL.test(text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
