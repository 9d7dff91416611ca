import type { Key } from '@hearth/core/tree/key.ts';
import { priorityJson, scalarJson } from '@hearth/core/tree/node-json.ts';
import { formatPath } from '@hearth/core/tree/path.ts';
import type { ChildPage, ChildSummary } from '../tree/child-page.ts';
import type { NodeSummary } from '../tree/node-summary.ts';
import type { SearchHit } from '../tree/subtree-search.ts';
import type { PageVerdict } from './judge-page.ts';

/**
 * A page of children as JSON text. Integers of 64 bits keep every digit. With a verdict, what may not be read is told without
 * anything of it but whether it has children.
 */
export function childPageJson({ node, children, previous, next }: ChildPage, verdict?: PageVerdict): string {
  const isRefused = verdict?.kind === 'refused';
  const items = children.map((child) =>
    isRefused && !verdict.readableKeys.has(child.key) ? refusedChildJson(child) : childJson(child),
  );
  const summary = node === null ? 'null' : `{${isRefused ? refusedFields(node) : summaryFields(node)}}`;
  const judgement = verdict === undefined ? '' : `,"isRefused":${isRefused}`;
  return (
    `{"node":${summary},"children":[${items.join(',')}],` +
    `"previous":${JSON.stringify(previous)},"next":${JSON.stringify(next)}${judgement}}`
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

function refusedChildJson({ key, node }: ChildSummary): string {
  const preview = node.kind === 'object' ? ',"preview":null' : '';
  return `{"key":${JSON.stringify(key)},${refusedFields(node)}${preview}}`;
}

/** The fields of any node, so that whoever looks at no verdict shows nothing. */
function refusedFields({ kind }: NodeSummary): string {
  const value =
    kind === 'object' ? '"kind":"object","childCount":null' : '"kind":"string","value":"","isCut":false';
  return `${value},"priority":null,"isRefused":true`;
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
