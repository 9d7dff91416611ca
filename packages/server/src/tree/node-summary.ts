import { must } from '@hearth/core/fault/assert.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { InnerNode, LeafNode, Priority, Scalar, TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { NodeId } from '../kv/keys.ts';
import { blobNode, HAS_PRIORITY, type StoredEntry, TEXT_OFFSET } from './entry.ts';
import type { Place } from './read.ts';

/** What is told of a node without showing what is below it. */
export type NodeSummary =
  /**
   * `childCount` is `null` when it is not known without looking for it, `preview`, the start of the JSON text in export form,
   * when the children are not kept together.
   */
  | {
      readonly kind: 'object';
      readonly childCount: number | null;
      readonly preview: string | null;
      readonly priority: Priority;
    }
  /** A string is cut to `MAX_SHOWN_UNITS`. */
  | { readonly kind: 'leaf'; readonly value: Scalar; readonly isCut: boolean; readonly priority: Priority };

/** Longest string that a summary shows whole, in UTF-16 code units. */
const MAX_SHOWN_UNITS = 1_024;

/** Most bytes that so many units take as JSON text: an escape sequence has six. */
const MAX_SHOWN_BYTES = 1 + 6 * MAX_SHOWN_UNITS;

/** Longest start of the text of an object that a summary shows, in UTF-16 code units. */
const MAX_PREVIEW_UNITS = 200;

/** So many bytes of UTF-8 have that many code units, whatever is cut in two at their end. */
const MAX_PREVIEW_BYTES = 3 * MAX_PREVIEW_UNITS + 4;

export function summarizeNode(node: TreeNode): NodeSummary {
  return node.kind === 'inner' ? summarizeInner(node, exportJson(node)) : summarizeLeaf(node);
}

function summarizeInner({ children, priority }: InnerNode, textStart: string): NodeSummary {
  const preview = wholePairs(textStart.slice(0, MAX_PREVIEW_UNITS));
  return { kind: 'object', childCount: children.size, preview, priority };
}

function summarizeLeaf({ value, priority }: LeafNode): NodeSummary {
  return { kind: 'leaf', ...cut(value), priority };
}

function summarizeBlob(bytes: Buffer): NodeSummary {
  const node = blobNode(bytes);
  if (node.kind === 'leaf') return summarizeLeaf(node);
  return summarizeInner(node, bytes.toString('utf8', TEXT_OFFSET, TEXT_OFFSET + MAX_PREVIEW_BYTES));
}

/** `childCount` tells how many entries an interior node has, if that is known. */
export function summarizeEntry(entry: StoredEntry, childCount: (node: NodeId) => number | null): NodeSummary {
  if (entry.kind === 'reference')
    return { kind: 'object', childCount: childCount(entry.node), preview: null, priority: entry.priority };
  return summarizeLongString(entry.bytes, entry.flags) ?? summarizeBlob(entry.bytes);
}

/** As `summarizeEntry`, of whatever stands at a path; `null` for nothing. */
export function summarizePlace(
  place: Place,
  childCount: (node: NodeId) => number | null,
): NodeSummary | null {
  switch (place.kind) {
    case 'absent':
      return null;
    case 'entry':
      return summarizeEntry(place.entry, childCount);
    case 'inside':
      return summarizeNode(place.node);
    default:
      return place satisfies never;
  }
}

const STRING_START = new RegExp(String.raw`^"(?:[^"\\]|\\u[0-9a-f]{4}|\\.){0,${MAX_SHOWN_UNITS}}`);

/** A string that is a blob of its own may have megabytes, of which only the beginning is read. */
function summarizeLongString(bytes: Buffer, flags: number): NodeSummary | undefined {
  const end = TEXT_OFFSET + MAX_SHOWN_BYTES;
  const isString = bytes[TEXT_OFFSET] === 0x22 && (flags & HAS_PRIORITY) === 0;
  if (!isString || bytes.length <= end) return undefined;
  const [start] = must(STRING_START.exec(bytes.toString('utf8', TEXT_OFFSET, end)), 'a string has a start');
  return { kind: 'leaf', value: wholePairs(String(parseJsonText(`${start}"`))), isCut: true, priority: null };
}

function cut(value: Scalar): { readonly value: Scalar; readonly isCut: boolean } {
  if (typeof value !== 'string' || value.length <= MAX_SHOWN_UNITS) return { value, isCut: false };
  return { value: wholePairs(value.slice(0, MAX_SHOWN_UNITS)), isCut: true };
}

/** A text that was cut, without the first half of a pair of surrogates at its end. */
function wholePairs(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.slice(0, -1) : text;
}
