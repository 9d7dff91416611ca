import { RequestError } from '../error/request-error.ts';
import { parseDraft } from './draft.ts';
import { parseJsonText } from './json-text.ts';
import type { DraftLeaf, DraftNode, InnerNode, Priority, Scalar, ServerValue, TreeNode } from './node.ts';

/** A scalar as JSON text; integers keep every digit. */
export function scalarJson(value: Scalar): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

/** A priority, or the placeholder of one, as JSON text. */
export function priorityJson(priority: Priority | ServerValue): string {
  return priority !== null && typeof priority === 'object'
    ? `{${serverValueField(priority)}}`
    : JSON.stringify(priority);
}

function serverValueField(value: ServerValue): string {
  return value.kind === 'timestamp' ? '".sv":"timestamp"' : `".sv":{"increment":${scalarJson(value.by)}}`;
}

/**
 * A tree as JSON text in export form: children in key order, priorities as `.priority`, leaves that have one
 * as `{".value":…,".priority":…}`; never an array. Placeholders stay as a client writes them. Without spaces.
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

/** A tree as REST shows it: no priorities, and inner nodes whose keys are array-like as arrays. */
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

/** Is every key a canonical array index, and is more than half of the array filled? */
export function isArrayLike(node: InnerNode): boolean {
  return isArrayLikeKeys(node.children.keys(), node.children.size);
}

/** Can a key be that of an item, in an array that is large enough? */
export function isArrayIndex(key: string): boolean {
  return ARRAY_INDEX.test(key);
}

/** As `isArrayLike`, for keys in key order, of which the caller knows the number. */
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
 * Reads a tree back from JSON text in export form, as `exportJson` wrote it. Refuses what `parseDraft` refuses,
 * and placeholders.
 */
export function parseNodeJson(text: string): TreeNode | null {
  const draft = parseDraft(parseJsonText(text), 0);
  if (draft.kind === 'pending')
    throw new RequestError('value/invalid', 'A stored tree holds no server values.');
  return draft.node;
}

/**
 * The JSON text in plain form of a value that was parsed from export form: as `plainJson` shows the same tree. For data
 * that come from a tree, which need no checks; `json` is `null`, a scalar or an object, and of no more levels than a tree.
 */
export function plainFromExport(json: unknown): string {
  if (json === null) return 'null';
  if (typeof json !== 'object') return scalarJson(json as Scalar);
  if ('.value' in json) return plainFromExport(json['.value']);
  const children = Object.entries(json).filter(([key]) => key !== '.priority');
  return isArrayLikeKeys(
    children.map(([key]) => key),
    children.length,
  )
    ? plainArray(children)
    : `{${children.map(([key, child]) => `${JSON.stringify(key)}:${plainFromExport(child)}`).join(',')}}`;
}

/** `children` are in the order of their keys: that of whole numbers in any object. */
function plainArray(children: readonly (readonly [string, unknown])[]): string {
  const items: string[] = [];
  for (const [key, child] of children) {
    while (items.length < Number(key)) items.push('null');
    items.push(plainFromExport(child));
  }
  return `[${items.join(',')}]`;
}
