import { singleLine } from './single-line.ts';

const MAX_LENGTH = 300;

/** Servers quote what they refuse: addresses of pages, and anything as long as a code. */
const QUOTED = /[a-z][a-z0-9+.-]*:\/\/\S+|[\w-]{24,}/gi;

/** What a server said of a mail, as operators may see it: one line of at most 300 characters without links and codes. */
export function failureReason(text: string): string {
  return singleLine(text).replace(QUOTED, '…').slice(0, MAX_LENGTH);
}
