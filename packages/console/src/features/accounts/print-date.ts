/** A day in the language of the page; empty for none. `ms` is milliseconds since 1970, as text. */
export function printDate(ms: string | undefined, language: string): string {
  return ms === undefined
    ? ''
    : new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(Number(ms));
}

/** A day and the time. */
export function printTime(ms: string | number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(Number(ms));
}
