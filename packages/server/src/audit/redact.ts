/** What stands in the place of something that looks like a secret. */
const REDACTED = '[redacted]';

/** Tokens, hashes and keys: long runs of the characters that they are written with, in which letters and digits mix. */
const TOKEN = /[\w~+/=.-]{20,}/g;
/** Codes of second factors, and phone numbers; but not versions of programs, as `Gecko/20100101` and `1.234567`. */
const CODE = /(?<![\d/]|\d\.)(?:\d{6}|\d{8}|\+\d{7,15})(?!\.?\d)/g;
/** A version of a program, as `Chrome/120.0.0.0`, is none of them. */
const PRODUCT = /^[A-Za-z][A-Za-z_.-]*\/[\d.]+$/;

/** A text without what looks like a token or a code, and not longer than `maxLength` UTF-16 code units. */
export function redact(text: string, maxLength: number): string {
  // What a cut leaves of a secret would look like none.
  return text
    .slice(0, SCANNED_LENGTH)
    .replace(TOKEN, (run) => (isToken(run) ? REDACTED : run))
    .replace(CODE, REDACTED)
    .slice(0, maxLength)
    .toWellFormed();
}

/** So that nobody makes the server look through a megabyte. */
const SCANNED_LENGTH = 2_048;

function isToken(run: string): boolean {
  return /\d/.test(run) && /[A-Za-z]/.test(run) && !PRODUCT.test(run);
}
