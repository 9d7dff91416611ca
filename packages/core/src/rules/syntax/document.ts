import { RequestError } from '../../error/request-error.ts';
import type { Locate } from './problems.ts';

/** A value of a rules document and its start, in UTF-16 code units from the start of the document. */
export type DocumentValue =
  | { readonly kind: 'object'; readonly offset: number; readonly properties: readonly Property[] }
  | { readonly kind: 'array'; readonly offset: number; readonly items: readonly DocumentValue[] }
  | StringValue
  | { readonly kind: 'number'; readonly offset: number; readonly end: number }
  | { readonly kind: 'boolean'; readonly offset: number; readonly value: boolean }
  | { readonly kind: 'null'; readonly offset: number };

/**
 * A string. `locate` returns the document offsets of the code units of `value`, which the document may
 * contain in escaped form.
 */
export interface StringValue {
  readonly kind: 'string';
  readonly offset: number;
  readonly value: string;
  readonly locate: Locate;
}

/** A property of an object. Two properties may have the same name. `offset` is the offset of the name. */
export interface Property {
  readonly name: string;
  readonly offset: number;
  readonly value: DocumentValue;
}

/** The error at the first offset where a text is not a valid rules document. */
export class RulesSyntaxError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string, cause?: unknown) {
    super(`Parse error. ${message}`, { cause });
    this.name = 'RulesSyntaxError';
    this.offset = offset;
  }
}

/** Maximum nesting depth. It limits the stack of this parser. No valid rules are nested as deeply. */
const MAX_NESTING = 100;

const SPACE = /[ \t\r\n\ufeff]+/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[A-Za-z_$][A-Za-z0-9_$]*/y;
/** Strings may span several lines, because users write long expressions this way. */
const STRING = /"[^"\\]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*)*"/y;
/** Matches the source text of one UTF-16 code unit of a quoted string. The quotes match too. */
const UNIT = /\\(?:u.{4}|.)|[\s\S]/g;
const LINE_BREAK_OR_TAB = /[\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Parses JSON with `//` and block comments. Strings may contain line breaks and tabs. Throws
 * `RulesSyntaxError` when the text is invalid. The caller limits the length of the text.
 */
export function parseRulesDocument(source: string): DocumentValue {
  const reader = new Reader(source);
  const value = reader.readValue(0);
  reader.skipSpace();
  if (reader.offset < source.length) throw reader.unexpected('the end of the document');
  return value;
}

class Reader {
  readonly #source: string;
  offset = 0;

  constructor(source: string) {
    this.#source = source;
  }

  readValue(nesting: number): DocumentValue {
    this.skipSpace();
    const offset = this.offset;
    if (nesting > MAX_NESTING) throw new RulesSyntaxError(offset, 'The document is nested too deeply.');
    switch (this.#source[offset]) {
      case '{':
        return this.#readObject(nesting);
      case '[':
        return this.#readArray(nesting);
      case '"':
        return this.#readString();
      case 't':
      case 'f':
      case 'n':
        return this.#readWord();
      default:
        if (this.#match(NUMBER) === undefined) throw this.unexpected('a value');
        return { kind: 'number', offset, end: this.offset };
    }
  }

  /** Skips white space and comments. */
  skipSpace(): void {
    for (;;) {
      this.#match(SPACE);
      if (this.#source.startsWith('//', this.offset)) {
        const end = this.#source.indexOf('\n', this.offset);
        this.offset = end === -1 ? this.#source.length : end;
      } else if (this.#source.startsWith('/*', this.offset)) {
        const end = this.#source.indexOf('*/', this.offset + 2);
        if (end === -1) throw new RulesSyntaxError(this.offset, 'The comment does not end.');
        this.offset = end + 2;
      } else return;
    }
  }

  unexpected(wanted: string): RulesSyntaxError {
    const found = this.#source[this.offset];
    return new RulesSyntaxError(
      this.offset,
      `Expected ${wanted}, found ${found === undefined ? 'the end of the document' : JSON.stringify(found)}.`,
    );
  }

  #readObject(nesting: number): DocumentValue {
    const offset = this.offset++;
    const properties: Property[] = [];
    if (this.#skip('}')) return { kind: 'object', offset, properties };
    do {
      this.skipSpace();
      const nameOffset = this.offset;
      if (this.#source[nameOffset] !== '"') throw this.unexpected('a name in double quotes');
      const name = this.#readString().value;
      if (!this.#skip(':')) throw this.unexpected('":"');
      properties.push({ name, offset: nameOffset, value: this.readValue(nesting + 1) });
    } while (this.#skip(','));
    if (!this.#skip('}')) throw this.unexpected('"," or "}"');
    return { kind: 'object', offset, properties };
  }

  #readArray(nesting: number): DocumentValue {
    const offset = this.offset++;
    const items: DocumentValue[] = [];
    if (this.#skip(']')) return { kind: 'array', offset, items };
    do items.push(this.readValue(nesting + 1));
    while (this.#skip(','));
    if (!this.#skip(']')) throw this.unexpected('"," or "]"');
    return { kind: 'array', offset, items };
  }

  #readString(): StringValue {
    const offset = this.offset;
    const quoted = this.#match(STRING);
    if (quoted === undefined)
      throw new RulesSyntaxError(offset, 'The string does not end, or contains an unknown escape sequence.');
    return { kind: 'string', offset, value: decodeString(quoted, offset), locate: locateIn(quoted, offset) };
  }

  #readWord(): DocumentValue {
    const offset = this.offset;
    switch (this.#match(WORD)) {
      case 'true':
        return { kind: 'boolean', offset, value: true };
      case 'false':
        return { kind: 'boolean', offset, value: false };
      case 'null':
        return { kind: 'null', offset };
      default:
        this.offset = offset;
        throw this.unexpected('a value');
    }
  }

  /** Consumes one punctuation character if it is next, after any space. Returns whether it did. */
  #skip(character: string): boolean {
    this.skipSpace();
    if (this.#source[this.offset] !== character) return false;
    this.offset++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset;
    const text = pattern.exec(this.#source)?.[0];
    if (text !== undefined) this.offset += text.length;
    return text;
  }
}

function decodeString(quoted: string, offset: number): string {
  try {
    const text: unknown = JSON.parse(
      quoted.replace(LINE_BREAK_OR_TAB, (character) => ESCAPES[character] ?? ''),
    );
    return String(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new RulesSyntaxError(offset, 'The string contains a control character.', cause);
  }
}

function locateIn(quoted: string, offset: number): Locate {
  if (!quoted.includes('\\')) return (index) => offset + 1 + index;
  let offsets: readonly number[] | undefined;
  return (index) => {
    offsets ??= Array.from(quoted.matchAll(UNIT), (unit) => offset + unit.index);
    return offsets[index + 1] ?? offset + quoted.length;
  };
}

/**
 * Converts a rules document to JSON without comments. Throws `rules/invalid` when the text is not a rules
 * document.
 */
export function toStrictRulesJson(source: string): string {
  try {
    return encode(parseRulesDocument(source), source);
  } catch (cause) {
    if (!(cause instanceof RulesSyntaxError)) throw cause;
    throw new RequestError('rules/invalid', cause.message, { cause });
  }
}

function encode(value: DocumentValue, source: string): string {
  switch (value.kind) {
    case 'object': {
      const properties = value.properties.map(
        (property) => `${JSON.stringify(property.name)}:${encode(property.value, source)}`,
      );
      return `{${properties.join(',')}}`;
    }
    case 'array':
      return `[${value.items.map((item) => encode(item, source)).join(',')}]`;
    case 'string':
    case 'boolean':
      return JSON.stringify(value.value);
    case 'number':
      // Copies the number as written. Valid rules contain no numbers.
      return source.slice(value.offset, value.end);
    case 'null':
      return 'null';
    default:
      return value satisfies never;
  }
}
