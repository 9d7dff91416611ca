/** An object of a JSON text has a key twice. A parser would silently keep only the last value. */
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

/** A character at which the scan stops: the start of a string, a bracket, or a line break. */
const STOP = /["{}[\]\n]/g;

/** Throws `KeyTwice` for a valid JSON text in which an object has a key twice. */
export function requireDistinctKeys(json: string): void {
  const open: Set<string>[] = [];
  const stop = new RegExp(STOP);
  let line = 1;
  for (let found = stop.exec(json); found !== null; found = stop.exec(json)) {
    const [character] = found;
    if (character === '\n') line += 1;
    else if (character === '{' || character === '[') open.push(new Set());
    else if (character === '"') {
      const end = endOfString(json, found.index);
      stop.lastIndex = end;
      if (!isBeforeColon(json, end)) continue;
      const key = String(JSON.parse(json.slice(found.index, end)));
      const keys = open.at(-1);
      if (keys?.has(key) === true) throw new KeyTwice(key, line);
      keys?.add(key);
    } else open.pop();
  }
}

/**
 * Returns the index after the string that begins at `start`. Does not use an expression for whole strings, because it would
 * exceed the stack for long ones.
 */
function endOfString(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote === -1 ? json.length : quote + 1;
}

/** Returns whether an odd number of backslashes is before an index. */
function isEscaped(json: string, index: number): boolean {
  let first = index;
  while (json[first - 1] === '\\') first -= 1;
  return (index - first) % 2 === 1;
}

/** Returns whether the next token is a colon. */
function isBeforeColon(json: string, index: number): boolean {
  const next = /\S/g;
  next.lastIndex = index;
  return next.exec(json)?.[0] === ':';
}
