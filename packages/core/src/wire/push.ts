import { assert } from '../fault/assert.ts';

/** What a push of `setPush` or `mergePush` says, apart from the tag that tells who it is for. */
export interface Push {
  /** `set` replaces the value at `path`; `merge` those at the paths relative to it that are the members of an object. */
  readonly kind: 'set' | 'merge';
  /** Without leading slash. */
  readonly path: string;
  /** In export form. */
  readonly json: string;
}

const SET = '{"t":"d","d":{"a":"d","b":{"p":';
const MERGE = '{"t":"d","d":{"a":"m","b":{"p":';
const BETWEEN = ',"d":';
const END = '}}}';

/** The tag of a push. No JSON text ends like this, so it is not taken for the end of the data. */
const TAG = /,"t":[0-9]+$/;
const MAX_TAG_UNITS = 30;

/** Takes apart what `setPush` and `mergePush` made, without reading the data. */
export function parsePush(text: string): Push {
  const isSet = text.startsWith(SET);
  assert(isSet || text.startsWith(MERGE), 'a message is no push of data');
  const pathEnd = endOfString(text, SET.length);
  const path: unknown = JSON.parse(text.slice(SET.length, pathEnd));
  assert(typeof path === 'string' && text.startsWith(BETWEEN, pathEnd), 'a push has no path');
  const end = text.length - END.length;
  const tag = TAG.exec(text.slice(Math.max(pathEnd, end - MAX_TAG_UNITS), end))?.[0] ?? '';
  const json = text.slice(pathEnd + BETWEEN.length, end - tag.length);
  return { kind: isSet ? 'set' : 'merge', path, json };
}

/** Where the JSON string that starts at `start` ends. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
