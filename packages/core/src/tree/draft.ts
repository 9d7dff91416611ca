import { RequestError } from '../error/request-error.ts';
import { type Key, parseKey, utf8Length } from './key.ts';
import {
  canonicalNumber,
  type DraftNode,
  type Priority,
  type Scalar,
  type ServerValue,
  sortEntries,
  type TreeNode,
} from './node.ts';
import { MAX_DEPTH } from './path.ts';
import type { Draft } from './server-value.ts';

/** Maximum length of a string in a leaf or priority, in bytes of UTF-8. */
export const MAX_STRING_BYTES = 10_485_760;

/**
 * Maximum number of nodes of one write. All other writes wait while the server decides a write, which takes
 * about a second at this size. A client must send more data in several writes.
 */
export const MAX_WRITE_NODES = 1_000_000;

/**
 * Reads a value in export form from parsed JSON: with `.priority`, `.value` and `.sv`. An array becomes an object with
 * decimal keys.
 * `depth` is the number of keys from the root to the written path.
 *
 * Throws a request error when the value does not fit the data model, for example because of an invalid key, more than
 * 32 levels, a long string, a number out of range, or more than `MAX_WRITE_NODES` nodes.
 */
export function parseDraft(json: unknown, depth: number): Draft {
  const reader: Reader = { hasServerValue: false, nodesLeft: MAX_WRITE_NODES };
  const node = parseNode(json, depth, reader);
  if (node === null) return { kind: 'resolved', node: null };
  // A draft without placeholders is a `TreeNode`. Only this code knows that there are none, so the cast is
  // safe only here.
  return reader.hasServerValue ? { kind: 'pending', node } : { kind: 'resolved', node: node as TreeNode };
}

/**
 * Reads the value of a write to `.priority`. Throws `priority/invalid` when the type is not valid for a priority, and
 * other request errors for an invalid string, number or placeholder.
 */
export function parsePriority(json: unknown): Priority | ServerValue {
  if (json === null) return json;
  if (typeof json === 'string') return requireStringLimit(json);
  if (typeof json === 'bigint') return Number(json);
  if (typeof json === 'number') return json === 0 ? 0 : requireFinite(json);
  if (isObject(json) && '.sv' in json) return parseLoneServerValue(json);
  throw new RequestError('priority/invalid');
}

/** The state while one value is parsed. */
interface Reader {
  hasServerValue: boolean;
  /** Number of nodes that the value may still have. */
  nodesLeft: number;
}

function parseNode(json: unknown, depth: number, reader: Reader): DraftNode | null {
  if (json === null || json === undefined) return null;
  if (--reader.nodesLeft < 0)
    throw new RequestError(
      'write/too-big',
      `A write may have at most ${MAX_WRITE_NODES} nodes. Split the write.`,
    );
  if (typeof json !== 'object') return { kind: 'leaf', value: parseScalar(json), priority: null };
  if (depth > MAX_DEPTH) throw new RequestError('path/too-deep');
  if (Array.isArray(json)) return parseArray(json, depth, reader);
  return parseObject(json as Readonly<Record<string, unknown>>, depth, reader);
}

function parseScalar(json: unknown): Scalar {
  switch (typeof json) {
    case 'boolean':
      return json;
    case 'number':
      return canonicalNumber(requireFinite(json));
    case 'bigint':
      return canonicalNumber(json);
    case 'string':
      return requireStringLimit(json);
    default:
      throw new RequestError('value/invalid');
  }
}

function parseArray(items: readonly unknown[], depth: number, reader: Reader): DraftNode | null {
  const entries: [Key, DraftNode][] = [];
  items.forEach((item, index) => {
    const child = parseChild(item, depth, reader);
    if (child !== null) entries.push([parseKey(String(index)), child]);
  });
  return entries.length === 0 ? null : { kind: 'inner', children: new Map(entries), priority: null };
}

function parseObject(
  object: Readonly<Record<string, unknown>>,
  depth: number,
  reader: Reader,
): DraftNode | null {
  const entries: [Key, DraftNode][] = [];
  let priority: Priority | ServerValue = null;
  for (const name of Object.keys(object)) {
    if (name.charCodeAt(0) === 0x2e) {
      if (name === '.value' || name === '.sv') return parseSpecialLeaf(object, name, reader);
      if (name !== '.priority')
        throw new RequestError('value/invalid', `The key "${name}" is not allowed in data.`);
      priority = parsePriority(object[name]);
      continue;
    }
    const key = parseKey(name);
    const child = parseChild(object[name], depth, reader);
    if (child !== null) entries.push([key, child]);
  }
  if (entries.length === 0) return null;
  if (isServerValue(priority)) reader.hasServerValue = true;
  return { kind: 'inner', children: new Map(sortEntries(entries)), priority };
}

function parseChild(json: unknown, depth: number, reader: Reader): DraftNode | null {
  if (json !== null && depth >= MAX_DEPTH) throw new RequestError('path/too-deep');
  return parseNode(json, depth + 1, reader);
}

/**
 * Reads `{".value": …}` or `{".sv": …}`, each alone or with `.priority`. The value of `.value` may be
 * `{".sv": …}`. Throws `value/invalid` for any other field.
 */
function parseSpecialLeaf(
  object: Readonly<Record<string, unknown>>,
  field: '.value' | '.sv',
  reader: Reader,
): DraftNode | null {
  for (const name of Object.keys(object))
    if (name !== field && name !== '.priority')
      throw new RequestError(
        'value/invalid',
        `"${field}" may only be combined with ".priority", not with "${name}".`,
      );
  const priority = parsePriority(object['.priority'] ?? null);
  const value = field === '.sv' ? parseServerValue(object) : parseLeafValue(object['.value']);
  if (value === null) return null;
  if (isServerValue(value) || isServerValue(priority)) reader.hasServerValue = true;
  return { kind: 'leaf', value, priority };
}

function parseLeafValue(json: unknown): Scalar | ServerValue | null {
  if (json === null) return null;
  // The official clients export a placeholder with a priority in this form.
  if (isObject(json) && '.sv' in json) return parseLoneServerValue(json);
  if (typeof json === 'object')
    throw new RequestError('value/invalid', '".value" holds a boolean, number or string.');
  return parseScalar(json);
}

function parseLoneServerValue(object: Readonly<Record<string, unknown>>): ServerValue {
  if (Object.keys(object).length > 1)
    throw new RequestError('value/invalid', '".sv" must be the only key here.');
  return parseServerValue(object);
}

function parseServerValue(object: Readonly<Record<string, unknown>>): ServerValue {
  const placeholder = object['.sv'];
  if (placeholder === 'timestamp') return { kind: 'timestamp' };
  if (isObject(placeholder) && Object.keys(placeholder).length === 1) {
    const by = placeholder['increment'];
    if (typeof by === 'number' || typeof by === 'bigint')
      return { kind: 'increment', by: canonicalNumber(typeof by === 'number' ? requireFinite(by) : by) };
  }
  throw new RequestError('server-value/unknown');
}

function isServerValue(value: Scalar | null | ServerValue): value is ServerValue {
  return value !== null && typeof value === 'object';
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function requireStringLimit(text: string): string {
  // A UTF-16 code unit takes at most three bytes in UTF-8, so most strings need no count.
  if (text.length > MAX_STRING_BYTES / 3 && utf8Length(text) > MAX_STRING_BYTES)
    throw new RequestError('value/string-too-long');
  return text;
}

/**
 * Throws `value/invalid` when a number is infinite. JSON such as `1e999` parses to infinity, which no client
 * can read back.
 */
function requireFinite(value: number): number {
  if (!Number.isFinite(value)) throw new RequestError('value/invalid', 'A number is out of range.');
  return value;
}
