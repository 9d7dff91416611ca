/** An object of a JSON text has a key twice. A parser would silently keep the last value alone. */
export class KeyTwice extends Error {
  override readonly name = 'KeyTwice';
  readonly key: string;
  readonly line: number;

  constructor(key: string, line: number) {
    super(`Line ${line} has the key ${JSON.stringify(key)} again.`);
    this.key = key;
    this.line = line;
  }
}

/** A string with the colon after it if it is a key, a bracket, or a line break between tokens. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]\n]/gs;

/** Throws `KeyTwice` for a valid JSON text in which an object has a key twice. */
export function requireDistinctKeys(json: string): void {
  const open: Set<string>[] = [];
  let line = 1;
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (text !== undefined && colon !== undefined) {
      const key = String(JSON.parse(text));
      const keys = open.at(-1);
      if (keys?.has(key) === true) throw new KeyTwice(key, line);
      keys?.add(key);
    }
    line += token.split('\n').length - 1;
  }
}
