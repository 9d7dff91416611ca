/** Longest string that `+` and `replace` make, in UTF-16 units. No string in a database is longer. */
export const MAX_TEXT_UNITS = 16_777_216;

export function tooLongText(subject: string): string {
  return `${subject} has more than ${MAX_TEXT_UNITS} characters. Limit the length of its parts first.`;
}
