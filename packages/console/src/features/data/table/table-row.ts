import type { TreeRow } from '../tree/tree-rows.ts';

/** A child as a row of the table. */
export type TableRow = Extract<TreeRow, { kind: 'node' | 'gone' }>;
