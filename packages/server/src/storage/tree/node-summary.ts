import { must } from '@hearth/core/error/assert.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { InnerNode, LeafNode, Priority, Scalar, TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { NodeId } from '../kv/keys.ts';
import { blobNode, HAS_PRIORITY, type StoredEntry, TEXT_OFFSET } from './entry.ts';
import type { StoredContent } from './read.ts';

/** A short description of a node of any size. */
export type NodeSummary =
  /**
   * `preview` is the start of the JSON text in export form, or `null` if the children are separate entries.
   */
  | (CountedChildren & {
      readonly kind: 'object';
      readonly preview: string | null;
      readonly priority: Priority;
    })
  /** A string is cut to `MAX_SHOWN_UNITS` code units. */
  | { readonly kind: 'leaf'; readonly value: Scalar; readonly isCut: boolean; readonly priority: Priority };

/** How many children of a node were counted. If `isCountPartial`, there are more. */
export interface CountedChildren {
  readonly childCount: number;
  readonly isCountPartial: boolean;
}

/** Counts the children of an interior node, up to a limit. */
export type CountChildren = (node: NodeId) => CountedChildren;

/** Longest string that a summary shows completely, in UTF-16 code units. */
const MAX_SHOWN_UNITS = 1_024;

/**
 * Maximum size of the start of such a string as JSON text, in bytes: a quotation mark, and six bytes for each code
 * unit, which may be an escape sequence.
 */
const MAX_SHOWN_BYTES = 1 + 6 * MAX_SHOWN_UNITS;

/** Longest preview of an object's text in a summary, in UTF-16 code units, unless the caller requests another. */
export const PREVIEW_UNITS = 200;

/**
 * Longest preview that a caller can request, in UTF-16 code units. A text that is stored in one entry is never longer,
 * so such a preview contains all of it.
 */
export const MAX_PREVIEW_UNITS = 2_000;

/**
 * Returns how many bytes of UTF-8 always contain enough code units for a preview, even if a character is cut at their
 * end.
 */
function previewBytes(previewUnits: number): number {
  return 3 * previewUnits + 4;
}

export function summarizeNode(node: TreeNode, previewUnits = PREVIEW_UNITS): NodeSummary {
  return node.kind === 'inner' ? summarizeInner(node, exportJson(node), previewUnits) : summarizeLeaf(node);
}

function summarizeInner(
  { children, priority }: InnerNode,
  textStart: string,
  previewUnits: number,
): NodeSummary {
  const preview = wholePairs(textStart.slice(0, previewUnits));
  return { kind: 'object', childCount: children.size, isCountPartial: false, preview, priority };
}

function summarizeLeaf({ value, priority }: LeafNode): NodeSummary {
  return { kind: 'leaf', ...cut(value), priority };
}

function summarizeBlob(bytes: Buffer, previewUnits: number): NodeSummary {
  const node = blobNode(bytes);
  if (node.kind === 'leaf') return summarizeLeaf(node);
  const textStart = bytes.toString('utf8', TEXT_OFFSET, TEXT_OFFSET + previewBytes(previewUnits));
  return summarizeInner(node, textStart, previewUnits);
}

export function summarizeEntry(
  entry: StoredEntry,
  countChildren: CountChildren,
  previewUnits = PREVIEW_UNITS,
): NodeSummary {
  if (entry.kind === 'reference')
    return { kind: 'object', ...countChildren(entry.node), preview: null, priority: entry.priority };
  return summarizeLongString(entry.bytes, entry.flags) ?? summarizeBlob(entry.bytes, previewUnits);
}

/** Like `summarizeEntry`, for the content at a path; `null` if nothing is there. */
export function summarizeContent(content: StoredContent, countChildren: CountChildren): NodeSummary | null {
  switch (content.kind) {
    case 'absent':
      return null;
    case 'entry':
      return summarizeEntry(content.entry, countChildren);
    case 'inside':
      return summarizeNode(content.node);
    default:
      return content satisfies never;
  }
}

const STRING_START = new RegExp(String.raw`^"(?:[^"\\]|\\u[0-9a-f]{4}|\\.){0,${MAX_SHOWN_UNITS}}`);

/**
 * Summarizes a long string that is a separate blob. It may be megabytes long, so only its beginning is read. Returns
 * `undefined` for any other blob.
 */
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

/** Removes the first half of a cut surrogate pair from the end of a text. */
function wholePairs(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.slice(0, -1) : text;
}
