import { RequestError } from '../error/request-error.ts';

/** Length of a message above which its data are not parsed with it, in UTF-16 code units. */
export const LONG_MESSAGE_UNITS = 65_536;

/**
 * Maximum length of a message whose data cannot be separated, in UTF-16 code units. It is parsed at once, so a longer one
 * would delay other clients. No known client sends one.
 */
export const MAX_UNSPLIT_UNITS = 262_144;

/** Maximum length of the text before the data of a long message, and of the text after them, in UTF-16 code units. */
const MAX_ENVELOPE_UNITS = 65_536;

/** The data of a long message: JSON text that is not parsed yet, and may be invalid. */
export class LongJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The placeholder for the data in `SplitMessage.envelope`, as JSON and as parsed. */
export const PLACEHOLDER = 'long';
const PLACEHOLDER_JSON = JSON.stringify(PLACEHOLDER);

/** A message whose data are separate. */
export interface SplitMessage {
  /** JSON text of the message with `PLACEHOLDER` in place of the data. It may be invalid. */
  readonly envelope: string;
  readonly data: LongJson;
}

/** The names of the members that lead from a message to the data of its request. */
const DATA_PATH = ['d', 'b', 'd'] as const;

/**
 * Separates the data of a long message, `d.b.d`, without parsing them. Returns `undefined` for a short message, and if
 * the data cannot be separated. Throws `request/malformed` in the latter case above `MAX_UNSPLIT_UNITS`.
 */
export function splitLongMessage(text: string): SplitMessage | undefined {
  if (text.length <= LONG_MESSAGE_UNITS) return undefined;
  const data = findData(text);
  if (data !== undefined)
    return {
      envelope: text.slice(0, data.start) + PLACEHOLDER_JSON + text.slice(data.end),
      data: new LongJson(text.slice(data.start, data.end)),
    };
  if (text.length <= MAX_UNSPLIT_UNITS) return undefined;
  throw new RequestError('request/malformed', 'A message is too long without its data.');
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the range of the data if there are any and the rest of the message is short. The text may be invalid. */
function findData(text: string): Range | undefined {
  const head = text.slice(0, MAX_ENVELOPE_UNITS);
  const start = findMember(head, 0, DATA_PATH);
  if (start === undefined) return undefined;
  // Walking through the data takes several ns per character, so a long message is read from its end.
  const end = findDataEnd(text, start) ?? (text.length <= MAX_UNSPLIT_UNITS ? skipValue(text, start) : start);
  return end - start > text.length - MAX_ENVELOPE_UNITS ? { start, end } : undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Returns the start of the value of the member at a path of names below the object at `at`. */
function findMember(text: string, at: number, [name, ...below]: readonly string[]): number | undefined {
  let next = skipSpace(text, at);
  if (text.charCodeAt(next) !== OPEN_BRACE) return undefined;
  do {
    const nameStart = skipSpace(text, next + 1);
    const nameEnd = skipString(text, nameStart);
    const colon = skipSpace(text, nameEnd);
    if (text.charCodeAt(nameStart) !== QUOTE || text.charCodeAt(colon) !== COLON) return undefined;
    const start = skipSpace(text, colon + 1);
    if (text.slice(nameStart + 1, nameEnd - 1) === name)
      return below.length > 0 ? findMember(text, start, below) : start;
    next = skipSpace(text, skipValue(text, start));
  } while (text.charCodeAt(next) === COMMA);
  return undefined;
}

/**
 * Returns the end of the data that begin at `start`, read from the end of the message. Returns `undefined` if other
 * members than scalars follow the data. If the message and the data are valid JSON with this end, it is the right one,
 * because JSON is unambiguous.
 */
function findDataEnd(text: string, start: number): number | undefined {
  const least = Math.max(start, text.length - MAX_ENVELOPE_UNITS);
  let depth = 0;
  for (let end = skipSpaceBack(text, text.length, least); end > least; ) {
    const last = text.charCodeAt(end - 1);
    const isNested = last === CLOSE_BRACE || last === CLOSE_BRACKET;
    if (isNested && depth === DATA_PATH.length) return end;
    if (isNested) {
      depth += 1;
      end = skipSpaceBack(text, end - 1, least);
      continue;
    }
    const valueStart = last === QUOTE ? skipStringBack(text, end, least) : skipScalarBack(text, end, least);
    if (valueStart === start) return end;
    if (valueStart <= least) {
      // Such a long string is the data, or the message is too long without them. A shorter message is read forward.
      const isData = text.charCodeAt(start) === QUOTE && text.length > MAX_UNSPLIT_UNITS;
      return isData ? end : undefined;
    }
    const colon = skipSpaceBack(text, valueStart, least) - 1;
    const nameEnd = skipSpaceBack(text, colon, least);
    if (text.charCodeAt(colon) !== COLON || text.charCodeAt(nameEnd - 1) !== QUOTE) return undefined;
    const comma = skipSpaceBack(text, skipStringBack(text, nameEnd, least), least) - 1;
    if (text.charCodeAt(comma) !== COMMA) return undefined;
    end = skipSpaceBack(text, comma, least);
  }
  return undefined;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next++;
  return next;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

/** Returns the index after the last character before `end` that is not a space, or `least`. */
function skipSpaceBack(text: string, end: number, least: number): number {
  let at = end;
  while (at > least && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Returns the index after the string that begins at `at`, or the end of the text. */
function skipString(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next++) {
    const unit = text.charCodeAt(next);
    if (unit === QUOTE) return next + 1;
    if (unit === BACKSLASH) next++;
  }
  return text.length;
}

/** Returns the start of the string that ends at `end`, or `least` if it begins there or before. */
function skipStringBack(text: string, end: number, least: number): number {
  for (let at = end - 2; at > least; ) {
    if (text.charCodeAt(at) !== QUOTE) {
      at--;
      continue;
    }
    let before = at - 1;
    while (before >= least && text.charCodeAt(before) === BACKSLASH) before--;
    // Whether a quote after more backslashes is escaped is not known.
    if (before < least) return least;
    if ((at - before) % 2 === 1) return at;
    at = before;
  }
  return least;
}

/** Returns the index after the value that begins at `at`, or the end of the text. */
function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return skipString(text, at);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return skipScalar(text, at);
  let depth = 0;
  for (let next = at; next < text.length; ) {
    const unit = text.charCodeAt(next);
    if (unit === QUOTE) {
      next = skipString(text, next);
      continue;
    }
    next++;
    if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++;
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth--;
    if (depth === 0) return next;
  }
  return text.length;
}

function skipScalar(text: string, at: number): number {
  let next = at;
  for (; next < text.length; next++) {
    const unit = text.charCodeAt(next);
    if (unit === COMMA || unit === CLOSE_BRACE || unit === CLOSE_BRACKET || isSpace(unit)) break;
  }
  return next;
}

function skipScalarBack(text: string, end: number, least: number): number {
  let at = end;
  while (at > least && SCALAR.test(text.charAt(at - 1))) at--;
  return at;
}

/** A character of a number or of a literal. */
const SCALAR = /^[-+.0-9A-Za-z]$/;
