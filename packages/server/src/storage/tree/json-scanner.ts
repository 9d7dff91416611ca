import { isUtf8 } from 'node:buffer';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { MAX_STRING_BYTES } from '@hearth/core/tree/draft.ts';
import { MAX_KEY_BYTES } from '@hearth/core/tree/key.ts';
import { type JsonPosition, JsonRejection } from './json-token.ts';

/**
 * Receives the tokens of a JSON text in order. The ranges refer to the scanned bytes and are valid until
 * `settle` is called. An error that a sink throws is reported at the position of the token.
 */
export interface JsonSink {
  beginObject(): void;
  endObject(): void;
  beginArray(): void;
  endArray(): void;
  /**
   * Receives the name of a member: the bytes between its quotes. `isPlain` means that it has no escape
   * sequence.
   */
  name(bytes: Buffer, start: number, end: number, isPlain: boolean): void;
  string(bytes: Buffer, start: number, end: number, isPlain: boolean): void;
  /**
   * Receives a valid number. `isSmallInteger` means that it is an integer without a sign, of up to 15 digits, in
   * canonical form.
   */
  number(bytes: Buffer, start: number, end: number, isSmallInteger: boolean): void;
  literal(value: boolean | null): void;
  /** Invalidates the ranges of earlier calls. */
  settle(): void;
}

/** The state of a scanner between two tokens, as JSON. */
export interface ScannerState {
  readonly byte: number;
  readonly line: number;
  /** Position of the first byte of the current line. */
  readonly lineStart: number;
  /** Open brackets, `{` and `[`, from the outside in. */
  readonly open: string;
  readonly expected: Expected;
}

/** The tokens that may come next. */
type Expected = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end' | 'end';

export const SCANNER_START: ScannerState = {
  byte: 0,
  line: 1,
  lineStart: 0,
  open: '',
  expected: 'value',
};

/**
 * Longest string in bytes between its quotes: the longest string of a leaf, with every byte written as an
 * escape sequence.
 */
const MAX_TOKEN_BYTES = 6 * MAX_STRING_BYTES;
/** Longest name in bytes between its quotes: the longest key, with every byte written as an escape sequence. */
const MAX_NAME_TOKEN_BYTES = 6 * MAX_KEY_BYTES;
/** Maximum length of a number, in bytes: far more digits than a stored number keeps. */
export const MAX_NUMBER_BYTES = 4_096;
/** More levels than a tree can have; a sink throws earlier. */
const MAX_NESTING = 64;
const MAX_SMALL_DIGITS = 15;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** A string whose end is missing. `token` is its position, and `highBits` has all bits of the bytes scanned so far. */
const NO_STRING = { token: -1, scanned: 0, hasEscape: false, highBits: 0 };

/** The token continues after the available bytes. */
const INCOMPLETE = -1;

const SPACE = 0x20;
const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

const LITERALS = [
  { text: Buffer.from('true'), value: true },
  { text: Buffer.from('false'), value: false },
  { text: Buffer.from('null'), value: null },
] as const;

/**
 * Scans JSON text (RFC 8259, UTF-8, optional byte order mark) that arrives in pieces cut at any byte. Stores
 * only its position: the caller passes the bytes of an incomplete token again, so scanning can continue in
 * another process.
 */
export class JsonScanner {
  readonly #sink: JsonSink;
  readonly #open: number[];
  #expected: Expected;
  #line: number;
  #lineStart: number;
  /** Number of bytes before the ones that are being scanned. */
  #base: number;
  /** Start of the current token, in the bytes that are being scanned. */
  #at = 0;

  constructor(sink: JsonSink, state: ScannerState = SCANNER_START) {
    this.#sink = sink;
    this.#base = state.byte;
    this.#line = state.line;
    this.#lineStart = state.lineStart;
    this.#open = [...Buffer.from(state.open)];
    this.#expected = state.expected;
  }

  save(): ScannerState {
    return {
      byte: this.#base,
      line: this.#line,
      lineStart: this.#lineStart,
      open: Buffer.from(this.#open).toString(),
      expected: this.#expected,
    };
  }

  /** Whether the text is complete, so that only white space may follow. */
  get isComplete(): boolean {
    return this.#expected === 'end';
  }

  /**
   * Passes the tokens of the next bytes to the sink. Returns the number of bytes consumed; the caller passes the rest
   * again, followed by more bytes. `isLast` means that no more bytes follow. Throws a `JsonRejection`:
   * `value/unparsable` for invalid JSON, or the error of a limit or of the sink.
   */
  scan(bytes: Buffer, isLast: boolean): number {
    this.#at = 0;
    try {
      this.#scanTokens(bytes, isLast);
    } catch (cause) {
      if (!(cause instanceof RequestError) || cause instanceof JsonRejection) throw cause;
      throw new JsonRejection(cause.code, cause.message, this.#positionAt(this.#at), { cause });
    } finally {
      this.#sink.settle();
    }
    const taken = this.#at;
    this.#base += taken;
    this.#at = 0;
    return taken;
  }

  /** Throws `value/unparsable` if the text ended too early. */
  assertComplete(): void {
    if (!this.isComplete) this.#reject('Unexpected end of JSON.', this.#at);
  }

  #scanTokens(bytes: Buffer, isLast: boolean): void {
    const { length } = bytes;
    if (this.#base === 0) {
      if (!isLast && length < BYTE_ORDER_MARK.length) return;
      this.#at = skipByteOrderMark(bytes);
    }
    let at = this.#at;
    while (at < length) {
      const byte = bytes[at];
      if (byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB) {
        at += 1;
        if (byte === NEWLINE) {
          this.#line += 1;
          this.#lineStart = this.#base + at;
        }
        this.#at = at;
        continue;
      }
      const end = this.#scanToken(bytes, at, byte ?? 0, isLast);
      if (end === INCOMPLETE) {
        if (isLast) this.#reject('Unexpected end of JSON.', length);
        if (length - at > MAX_TOKEN_BYTES + 2) throw new RequestError('value/string-too-long');
        break;
      }
      at = this.#expected === 'comma-or-end' && bytes[end] === COMMA ? this.#passComma(end) : end;
      this.#at = at;
    }
    if (isLast && !this.isComplete) this.#reject('Unexpected end of JSON.', this.#at);
  }

  /** Scans one token. Returns the position of its end. */
  #scanToken(bytes: Buffer, at: number, byte: number, isLast: boolean): number {
    switch (this.#expected) {
      case 'comma-or-end':
        if (byte === COMMA) return this.#passComma(at);
        return this.#scanEnd(byte, at, 'Expected a comma or the end of the object or array.');
      case 'name-or-end':
        if (byte === CLOSE_BRACE) return this.#scanEnd(byte, at, '');
        return this.#scanName(bytes, at, byte);
      case 'name':
        return this.#scanName(bytes, at, byte);
      case 'colon':
        if (byte !== COLON) this.#reject('Expected a colon after the name of a member.', at);
        this.#expected = 'value';
        return at + 1;
      case 'value-or-end':
        if (byte === CLOSE_BRACKET) return this.#scanEnd(byte, at, '');
        return this.#scanValue(bytes, at, byte, isLast);
      case 'value':
        return this.#scanValue(bytes, at, byte, isLast);
      case 'end':
        return this.#reject('Unexpected text after the end of the JSON.', at);
      default:
        return this.#expected satisfies never;
    }
  }

  #passComma(at: number): number {
    this.#expected = this.#open[this.#open.length - 1] === OPEN_BRACE ? 'name' : 'value';
    return at + 1;
  }

  #scanEnd(byte: number, at: number, sentence: string): number {
    const open = this.#open.at(-1);
    if (open === OPEN_BRACE && byte === CLOSE_BRACE) this.#sink.endObject();
    else if (open === OPEN_BRACKET && byte === CLOSE_BRACKET) this.#sink.endArray();
    else this.#reject(sentence, at);
    this.#open.pop();
    this.#endValue();
    return at + 1;
  }

  #scanName(bytes: Buffer, at: number, byte: number): number {
    if (byte !== QUOTE) this.#reject('Expected the name of a member in double quotes.', at);
    const end = this.#scanString(bytes, at);
    const knownEnd = end === INCOMPLETE ? bytes.length : end;
    if (knownEnd - at > MAX_NAME_TOKEN_BYTES + 2) throw new RequestError('key/too-long');
    if (end === INCOMPLETE) return INCOMPLETE;
    this.#sink.name(bytes, at + 1, end - 1, !this.#hasEscape);
    // Most texts have no white space before the colon.
    if (bytes[end] === COLON) {
      this.#expected = 'value';
      return end + 1;
    }
    this.#expected = 'colon';
    return end;
  }

  #scanValue(bytes: Buffer, at: number, byte: number, isLast: boolean): number {
    if (byte === QUOTE) {
      const end = this.#scanString(bytes, at);
      if (end === INCOMPLETE) return end;
      this.#sink.string(bytes, at + 1, end - 1, !this.#hasEscape);
      this.#endValue();
      return end;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#scanBegin(at, byte);
    if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return this.#scanNumber(bytes, at, isLast);
    return this.#scanLiteral(bytes, at, byte);
  }

  #scanBegin(at: number, byte: number): number {
    if (this.#open.length === MAX_NESTING) throw new RequestError('path/too-deep');
    if (byte === OPEN_BRACE) this.#sink.beginObject();
    else this.#sink.beginArray();
    this.#open.push(byte);
    this.#expected = byte === OPEN_BRACE ? 'name-or-end' : 'value-or-end';
    return at + 1;
  }

  #endValue(): void {
    this.#expected = this.#open.length === 0 ? 'end' : 'comma-or-end';
  }

  /** Whether the last scanned string has escape sequences. */
  #hasEscape = false;
  /** The last string whose end is missing. It is not saved: after `save`, the string is scanned again. */
  #cut = NO_STRING;

  #scanString(bytes: Buffer, start: number): number {
    const { length } = bytes;
    let hasEscape = false;
    let highBits = 0;
    let at = start + 1;
    if (this.#cut.token === this.#base + start) {
      ({ hasEscape, highBits } = this.#cut);
      at = start + this.#cut.scanned;
    }
    for (; at < length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) {
        this.#hasEscape = hasEscape;
        if (highBits >= 0x80 && !isUtf8(bytes.subarray(start, at)))
          this.#reject('A string is not valid UTF-8.', start);
        return at + 1;
      }
      highBits |= byte;
      if (byte < SPACE)
        this.#reject('A control character in a string must be written as an escape sequence.', at);
      if (byte !== BACKSLASH) continue;
      hasEscape = true;
      const escapeEnd = this.#scanEscape(bytes, at);
      if (escapeEnd === INCOMPLETE) break;
      at = escapeEnd - 1;
    }
    this.#cut = { token: this.#base + start, scanned: at - start, hasEscape, highBits };
    return INCOMPLETE;
  }

  #scanEscape(bytes: Buffer, at: number): number {
    const byte = bytes[at + 1];
    if (byte === undefined) return INCOMPLETE;
    if (ESCAPED[byte] === 1) return at + 2;
    if (byte !== UNICODE) this.#reject('Unknown escape sequence.', at);
    for (let digit = at + 2; digit < at + 6; digit += 1) {
      const hex = bytes[digit];
      if (hex === undefined) return INCOMPLETE;
      if (HEX_DIGITS[hex] !== 1) this.#reject('The escape sequence \\u needs four hexadecimal digits.', at);
    }
    return at + 6;
  }

  #scanNumber(bytes: Buffer, start: number, isLast: boolean): number {
    let at = start + 1;
    let isSimple = true;
    for (; ; at += 1) {
      const byte = bytes[at];
      if (byte === undefined) break;
      if (byte >= ZERO && byte <= NINE) continue;
      if (NUMBER_PARTS[byte] !== 1) break;
      isSimple = false;
    }
    if (at - start > MAX_NUMBER_BYTES)
      this.#reject(`A number is longer than ${MAX_NUMBER_BYTES} bytes.`, start);
    // More digits may follow in the next bytes.
    if (at === bytes.length && !isLast) return INCOMPLETE;
    const first = bytes[start];
    if (
      isSimple &&
      at - start <= MAX_SMALL_DIGITS &&
      first !== MINUS &&
      (first !== ZERO || at === start + 1)
    ) {
      this.#sink.number(bytes, start, at, true);
    } else {
      if (!NUMBER.test(bytes.toString('latin1', start, at))) this.#reject('Not a valid JSON number.', start);
      this.#sink.number(bytes, start, at, false);
    }
    this.#endValue();
    return at;
  }

  #scanLiteral(bytes: Buffer, start: number, first: number): number {
    for (const { text, value } of LITERALS) {
      if (first !== text[0]) continue;
      const end = Math.min(start + text.length, bytes.length);
      if (bytes.compare(text, 0, end - start, start, end) !== 0) break;
      if (end - start < text.length) return INCOMPLETE;
      this.#sink.literal(value);
      this.#endValue();
      return end;
    }
    return this.#reject('Expected a value.', start);
  }

  #reject(sentence: string, at: number): never {
    throw new JsonRejection('value/unparsable', sentence, this.#positionAt(at));
  }

  #positionAt(at: number): JsonPosition {
    const byte = this.#base + at;
    return { byte, line: this.#line, column: byte - this.#lineStart + 1 };
  }
}

const UNICODE = 0x75;
const ESCAPED = byteSet('"\\/bfnrt');
const HEX_DIGITS = byteSet('0123456789abcdefABCDEF');
const NUMBER_PARTS = byteSet('+-.eE');

/** Returns an array with 1 at the index of each byte of an ASCII text. */
function byteSet(text: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of Buffer.from(text)) set[byte] = 1;
  return set;
}

function skipByteOrderMark(bytes: Buffer): number {
  return BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
}
