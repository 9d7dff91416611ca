import type { Key } from '@hearth/core/tree/key.ts';
import { priorityJson, scalarJson } from '@hearth/core/tree/node-json.ts';
import { formatPath } from '@hearth/core/tree/path.ts';
import type { ChildPage, ChildSummary } from '../tree/child-page.ts';
import type { NodeSummary } from '../tree/node-summary.ts';
import type { SearchHit } from '../tree/subtree-search.ts';

/** A page of children as JSON text. Integers of 64 bits keep every digit. */
export function childPageJson({ node, children, previous, next }: ChildPage): string {
  const items = children.map(childJson);
  return (
    `{"node":${node === null ? 'null' : `{${summaryFields(node)}}`},"children":[${items.join(',')}],` +
    `"previous":${JSON.stringify(previous)},"next":${JSON.stringify(next)}}`
  );
}

/** A hit as one line of JSON text. */
export function searchHitLine({ keys, matched, node }: SearchHit): string {
  return `{"kind":"hit","path":${pathJson(keys)},"matched":"${matched}","node":{${summaryFields(node)}}}\n`;
}

/** A line that says how far a long read has come, or with `done` that it has ended. */
export function progressLine(
  kind: 'progress' | 'done',
  fields: Readonly<Record<string, number | boolean>>,
): string {
  return `${JSON.stringify({ kind, ...fields })}\n`;
}

function childJson({ key, node }: ChildSummary): string {
  const preview = node.kind === 'object' ? `,"preview":${JSON.stringify(node.preview)}` : '';
  return `{"key":${JSON.stringify(key)},${summaryFields(node)}${preview}}`;
}

function summaryFields(node: NodeSummary): string {
  const priority = `"priority":${priorityJson(node.priority)}`;
  if (node.kind === 'object') return `"kind":"object","childCount":${node.childCount},${priority}`;
  const { value, isCut } = node;
  const kind = typeof value === 'bigint' ? 'number' : typeof value;
  return `"kind":"${kind}","value":${scalarJson(value)},"isCut":${isCut},${priority}`;
}

function pathJson(keys: readonly Key[]): string {
  return JSON.stringify(`/${formatPath(keys)}`);
}
