/**
 * JSON text in UTF-8: in one piece, or in parts generated on request. All parts show one state of the database.
 */
export type JsonStream =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /**
   * The consumer must read the parts to the end or return the generator, because it holds a snapshot. The
   * generator throws when it takes too long or the snapshot is lost. `broken` is aborted at the same time, for
   * a consumer that is not requesting a part. The receiver owns each part, unless parts are shared.
   */
  | {
      readonly kind: 'parts';
      readonly parts: AsyncGenerator<Buffer, void, undefined>;
      readonly broken?: AbortSignal;
      readonly areShared?: true;
    };

/** How a text is turned into another, at once and in parts. */
export interface JsonMapping {
  readonly whole: (bytes: Buffer) => Buffer;
  readonly parts: (parts: AsyncIterable<Buffer>) => AsyncGenerator<Buffer, void, undefined>;
}

/** Another text made of a text. To return it returns the text it is made of, even if nothing was asked for yet. */
export function mapJson(json: JsonStream, mapping: JsonMapping): JsonStream {
  return json.kind === 'whole'
    ? { kind: 'whole', bytes: mapping.whole(json.bytes) }
    : mapParts(json, mapping.parts);
}

/** The same of a text that comes in parts. */
function mapParts(json: JsonStream & { readonly kind: 'parts' }, map: JsonMapping['parts']): JsonStream {
  return { ...json, parts: endingBoth(map(json.parts), json.parts) };
}

type Parts = AsyncGenerator<Buffer, void, undefined>;

/** A generator that has not begun would not end what it is going to read. */
function endingBoth(outer: Parts, inner: Parts): Parts {
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
 * The same text, its first part made: what cannot be read is refused before anything of the answer has left. Rejects as the
 * text does.
 */
export async function beginJson(json: JsonStream): Promise<JsonStream> {
  if (json.kind === 'whole') return json;
  const first = await json.parts.next();
  return mapParts(json, async function* (rest) {
    if (first.done !== true) yield first.value;
    yield* rest;
  });
}

/** The same text, whose length in bytes is told when it is known. */
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
/** What a text consists of outside of strings; a string is only begun. */
const TOKEN = /["{}[\],:]|[^\s"{}[\],:]+/g;
const STRING_MARK = /["\\]/g;

/**
 * Indents valid JSON text by two spaces per level. Takes it in pieces that may be cut anywhere, even within a character of
 * UTF-8, and remembers no more than where it is. Works on the text, so that numbers keep every digit.
 */
export class PrettyJson {
  #inside: 'structure' | 'string' | 'escape' = 'structure';
  #indent = '';
  /** Has an object or array just begun, which may be empty? */
  #isEmptySoFar = false;

  /** What the next piece becomes. */
  push(bytes: Buffer): Buffer {
    // Everything that matters is ASCII, and every byte is a character of its own here.
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

  /** Where the string ends in the piece, or the piece. */
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

/** Valid JSON text, indented and ended by a newline. */
export function prettyJson(json: Buffer): Buffer {
  return Buffer.concat([new PrettyJson().push(json), NEWLINE]);
}

/** As `prettyJson`, for a text in pieces. */
export async function* prettyJsonParts(
  parts: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  const pretty = new PrettyJson();
  for await (const part of parts) yield pretty.push(part);
  yield NEWLINE;
}
