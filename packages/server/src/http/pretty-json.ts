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
