/**
 * JSON text in UTF-8: in one piece, or in parts generated on request. All parts show one state of the database.
 */
export type JsonStream =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /**
   * The consumer must read the parts to the end or call `return`, because the generator holds a snapshot. The
   * generator throws when it takes too long or the snapshot is lost. `broken` is aborted at the same time, for
   * a consumer that is not requesting a part. The receiver owns each part, unless parts are shared.
   */
  | {
      readonly kind: 'parts';
      readonly parts: AsyncGenerator<Buffer, void, undefined>;
      readonly broken?: AbortSignal;
      readonly areShared?: true;
    };

/** A transformation of text, in one piece and in parts. */
export interface JsonMapping {
  readonly whole: (bytes: Buffer) => Buffer;
  readonly parts: (parts: AsyncIterable<Buffer>) => AsyncGenerator<Buffer, void, undefined>;
}

/**
 * Returns the transformed text. If the text is in parts, ending their generator with `return` also ends the generator of
 * `json`, even if no part has been requested.
 */
export function mapJson(json: JsonStream, mapping: JsonMapping): JsonStream {
  return json.kind === 'whole'
    ? { kind: 'whole', bytes: mapping.whole(json.bytes) }
    : mapParts(json, mapping.parts);
}

/** Transforms a text that arrives in parts. */
function mapParts(json: JsonStream & { readonly kind: 'parts' }, map: JsonMapping['parts']): JsonStream {
  return { ...json, parts: withLinkedReturn(map(json.parts), json.parts) };
}

type Parts = AsyncGenerator<Buffer, void, undefined>;

/**
 * Returns the outer generator with a `return` that also ends the inner one. By itself, a generator that has not
 * started does not end the generator that it reads.
 */
function withLinkedReturn(outer: Parts, inner: Parts): Parts {
  const end = async (): Promise<IteratorResult<Buffer, void>> => {
    await outer.return();
    return inner.return();
  };
  return {
    next: () => outer.next(),
    return: end,
    async throw(error: unknown) {
      await end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}

/**
 * Returns the same text with its first part already generated. A text that cannot be read is thus rejected
 * before any byte of the response is sent. Rejects with the error of the text.
 */
export async function prefetchJson(json: JsonStream): Promise<JsonStream> {
  if (json.kind === 'whole') return json;
  const first = await json.parts.next();
  return mapParts(json, async function* (rest) {
    if (first.done !== true) yield first.value;
    yield* rest;
  });
}

/** Returns the same text, and reports its length in bytes when the length is known. */
export function countBytes(json: JsonStream, notify: (bytes: number) => void): JsonStream {
  if (json.kind === 'whole') {
    notify(json.bytes.length);
    return json;
  }
  return mapParts(json, (parts) => countParts(parts, notify));
}

async function* countParts(
  parts: AsyncIterable<Buffer>,
  notify: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  try {
    for await (const part of parts) {
      bytes += part.length;
      yield part;
    }
  } finally {
    notify(bytes);
  }
}

const INDENT = '  ';
const NEWLINE = Buffer.from('\n');
/** Matches the tokens of JSON text outside of strings, and the quotation mark at the start of a string. */
const TOKEN = /["{}[\],:]|[^\s"{}[\],:]+/g;
const STRING_MARK = /["\\]/g;

/**
 * Indents valid JSON text by two spaces per level. Accepts the text in pieces that may be cut anywhere, even
 * within a UTF-8 character, and stores only its position in the structure. Works on the text itself, so that
 * numbers keep every digit.
 */
export class PrettyJson {
  #inside: 'structure' | 'string' | 'escape' = 'structure';
  #indent = '';
  /** Whether an object or array has just begun and may be empty. */
  #isEmptySoFar = false;

  /** Returns the indented form of the next piece. */
  push(bytes: Buffer): Buffer {
    // All significant characters are ASCII. In `latin1`, each byte is one character.
    const piece = bytes.toString('latin1');
    let text = '';
    for (let at = 0; at < piece.length; ) {
      if (this.#inside !== 'structure') {
        const end = this.#findStringEnd(piece, at);
        text += piece.slice(at, end);
        at = end;
        continue;
      }
      TOKEN.lastIndex = at;
      const token = TOKEN.exec(piece)?.[0];
      if (token === undefined) break;
      text += this.#printToken(token);
      at = TOKEN.lastIndex;
    }
    return Buffer.from(text, 'latin1');
  }

  #printToken(token: string): string {
    if (token === '}' || token === ']') {
      this.#indent = this.#indent.slice(INDENT.length);
      const text = this.#isEmptySoFar ? token : `\n${this.#indent}${token}`;
      this.#isEmptySoFar = false;
      return text;
    }
    const before = this.#isEmptySoFar ? `\n${this.#indent}` : '';
    this.#isEmptySoFar = token === '{' || token === '[';
    if (this.#isEmptySoFar) this.#indent += INDENT;
    if (token === '"') this.#inside = 'string';
    if (token === ',') return `,\n${this.#indent}`;
    return token === ':' ? ' : ' : before + token;
  }

  /** Returns the end of the string in the piece, or the length of the piece if the string continues. */
  #findStringEnd(piece: string, start: number): number {
    STRING_MARK.lastIndex = this.#inside === 'escape' ? start + 1 : start;
    this.#inside = 'string';
    for (let mark = STRING_MARK.exec(piece); mark !== null; mark = STRING_MARK.exec(piece)) {
      if (mark[0] === '"') {
        this.#inside = 'structure';
        return mark.index + 1;
      }
      if (mark.index + 1 === piece.length) this.#inside = 'escape';
      STRING_MARK.lastIndex = mark.index + 2;
    }
    return piece.length;
  }
}

/** Returns valid JSON text with indentation and a final newline. */
export function prettyJson(json: Buffer): Buffer {
  return Buffer.concat([new PrettyJson().push(json), NEWLINE]);
}

/** Like `prettyJson`, for a text in parts. */
export async function* prettyJsonParts(
  parts: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  const pretty = new PrettyJson();
  for await (const part of parts) yield pretty.push(part);
  yield NEWLINE;
}
