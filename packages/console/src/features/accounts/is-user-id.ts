/** Longest user ID, in UTF-16 units. */
const MAX_UID_LENGTH = 128;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what user IDs must not contain.
const UNFIT = /[/\u0000-\u001f\u007f-\u009f]/;

/** Could an account be called so? The same as on the server. */
export function isUserId(text: string): boolean {
  return text !== '' && text.length <= MAX_UID_LENGTH && !UNFIT.test(text) && text.isWellFormed();
}
