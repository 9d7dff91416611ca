import type { TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { ChildRow, NodeSummary } from '../../../server/data.ts';
import type { ChangeSign } from './differences.ts';

/** What staged edits make of a child that is shown. */
export interface RowStage {
  /** `below` when only something below it is to change. */
  readonly sign: ChangeSign | 'below';
  /** The child as it is on the server; `null` when it is not there. */
  readonly live: ChildRow | null;
}

/** Letters of a preview, as the server sends them. */
const PREVIEW_UNITS = 200;
/** Letters of a string in a line. */
const STRING_UNITS = 1_000;

/** What is shown of a node in a line. */
export function summaryOf(node: TreeNode): NodeSummary {
  if (node.kind === 'inner')
    return { kind: 'object', childCount: node.children.size, priority: node.priority };
  const { value, priority } = node;
  if (typeof value !== 'string')
    return { kind: typeof value === 'boolean' ? 'boolean' : 'number', value, priority };
  return {
    kind: 'string',
    value: value.slice(0, STRING_UNITS),
    isCut: value.length > STRING_UNITS,
    priority,
  };
}

/** A node as a child of the one above it. */
export function childRowOf(key: string, node: TreeNode): ChildRow {
  const summary = summaryOf(node);
  return summary.kind === 'object'
    ? { ...summary, key, preview: exportJson(node).slice(0, PREVIEW_UNITS) }
    : { ...summary, key };
}

/** All that is known of a child from its line alone; `undefined` when there is more of it. */
export function previewOf(row: ChildRow): string | undefined {
  return row.kind === 'object' && row.preview != null && row.preview.length < PREVIEW_UNITS - 1
    ? row.preview
    : undefined;
}
