import { RequestError } from '../error/request-error.ts';
import { parseDraft } from './draft.ts';
import { parseJsonText } from './json-text.ts';
import type { DraftLeaf, DraftNode, InnerNode, Priority, Scalar, ServerValue, TreeNode } from './node.ts';

/** Returns a scalar as JSON text. Integers keep every digit. */
export function scalarJson(value: Scalar): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

/** Returns a priority, or the placeholder of one, as JSON text. */
export function priorityJson(priority: Priority | ServerValue): string {
  return priority !== null && typeof priority === 'object'
    ? `{${serverValueField(priority)}}`
    : JSON.stringify(priority);
}

function serverValueField(value: ServerValue): string {
  return value.kind === 'timestamp' ? '".sv":"timestamp"' : `".sv":{"increment":${scalarJson(value.by)}}`;
}

/**
 * Returns a tree as JSON text in export form, without spaces. Children are in key order, priorities are
 * written as `.priority`, and a leaf with a priority is `{".value":…,".priority":…}`. The text never contains
 * an array. Placeholders have the form that clients write.
 */
export function exportJson(node: DraftNode | null): string {
  if (node === null) return 'null';
  if (node.kind === 'leaf') return leafJson(node);
  let text = '{';
  for (const [key, child] of node.children) {
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(key)}:${exportJson(child)}`;
  }
  return node.priority === null ? `${text}}` : `${text},".priority":${priorityJson(node.priority)}}`;
}

function leafJson({ value, priority }: DraftLeaf): string {
  if (typeof value !== 'object' && priority === null) return scalarJson(value);
  const field = typeof value === 'object' ? serverValueField(value) : `".value":${scalarJson(value)}`;
  return priority === null ? `{${field}}` : `{${field},".priority":${priorityJson(priority)}}`;
}

/**
 * Returns a tree as JSON text in the form of REST responses: without priorities, and with an array for each
 * inner node that is array-like.
 */
export function plainJson(node: TreeNode | null): string {
  if (node === null) return 'null';
  if (node.kind === 'leaf') return scalarJson(node.value);
  if (isArrayLike(node)) return arrayJson(node);
  let text = '{';
  for (const [key, child] of node.children) {
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(key)}:${plainJson(child)}`;
  }
  return `${text}}`;
}

const ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,9})$/;

/** Returns whether every key is a canonical array index and at least half of the array is filled. */
export function isArrayLike(node: InnerNode): boolean {
  return isArrayLikeKeys(node.children.keys(), node.children.size);
}

/** Returns whether a key is a canonical array index of at most ten digits. */
export function isArrayIndex(key: string): boolean {
  return ARRAY_INDEX.test(key);
}

/** Returns whether a node with these keys is array-like. `count` is the number of keys. */
export function isArrayLikeKeys(keys: Iterable<string>, count: number): boolean {
  for (const key of keys) if (!isArrayIndex(key) || Number(key) >= 2 * count) return false;
  return true;
}

function arrayJson(node: InnerNode): string {
  let text = '[';
  let next = 0;
  for (const [key, child] of node.children) {
    const index = Number(key);
    for (; next < index; next++) text += next === 0 ? 'null' : ',null';
    text += next === 0 ? plainJson(child) : `,${plainJson(child)}`;
    next = index + 1;
  }
  return `${text}]`;
}

/**
 * Parses a tree from the JSON text in export form that `exportJson` returns. Throws a `SyntaxError` when the text is
 * not JSON, `value/invalid` when it contains placeholders, and the errors of `parseDraft`.
 */
export function parseNodeJson(text: string): TreeNode | null {
  const draft = parseDraft(parseJsonText(text), 0);
  if (draft.kind === 'pending')
    throw new RequestError('value/invalid', 'A stored tree must not contain server values.');
  return draft.node;
}

/**
 * Returns the JSON text in plain form of a value that was parsed from export form. The text is the result of
 * `plainJson` for the same tree, except for the order of keys. Use it only for data that comes from a tree: it
 * validates nothing. `json` is `null`, a scalar or an object with no more levels than a tree.
 */
export function plainJsonFromExport(json: unknown): string {
  if (json === null) return 'null';
  if (typeof json !== 'object') return scalarJson(json as Scalar);
  if ('.value' in json) return plainJsonFromExport(json['.value']);
  const children = Object.entries(json).filter(([key]) => key !== '.priority');
  return isArrayLikeKeys(
    children.map(([key]) => key),
    children.length,
  )
    ? plainArray(children)
    : `{${children.map(([key, child]) => `${JSON.stringify(key)}:${plainJsonFromExport(child)}`).join(',')}}`;
}

/**
 * Returns children as the text of a JSON array. `children` must be in key order, which JavaScript guarantees
 * for whole-number keys of any object.
 */
function plainArray(children: readonly (readonly [string, unknown])[]): string {
  const items: string[] = [];
  for (const [key, child] of children) {
    while (items.length < Number(key)) items.push('null');
    items.push(plainJsonFromExport(child));
  }
  return `[${items.join(',')}]`;
}
