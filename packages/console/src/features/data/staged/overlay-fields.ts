import { exportJson } from '@hearth/core/tree/node-json.ts';
import { printExact } from '../model/exact-json.ts';
import type { NodePath } from '../model/node-path.ts';
import { parseFields, type RowFields } from '../table/cell-grid.ts';
import type { ChangeSign } from './differences.ts';
import { findHolder, isStagedAround, nodeWithStaged } from './node-with-staged.ts';
import { parseTree, type StagedList } from './staged-list.ts';

/** A row of the table as it is to be. `live` is what its members are on the server. */
export function overlayFields(path: NodePath, live: RowFields, list: StagedList): RowFields {
  if (!isStagedAround(list, path)) return live;
  // Of what is not known, only what is staged as a whole can be told.
  if (live.kind === 'unknown' && findHolder(list, path) === undefined) return live;
  const node = nodeWithStaged(path, parseTree(printRow(live), path), list);
  // What goes is shown as long as it is there.
  return node === null ? live : parseFields(exportJson(node));
}

function printRow(fields: RowFields): string {
  switch (fields.kind) {
    case 'fields':
      return printExact(Object.fromEntries(fields.fields), 0);
    case 'value':
      return printExact(fields.value, 0);
    case 'unknown':
      return 'null';
    default:
      return fields satisfies never;
  }
}

/** What becomes of a cell; `undefined` when it stays as it is. */
export function signOfCell(live: unknown, staged: unknown): ChangeSign | undefined {
  if (live === staged || printExact(live ?? null, 0) === printExact(staged ?? null, 0)) return undefined;
  if (live === undefined || live === null) return 'added';
  return staged === undefined || staged === null ? 'removed' : 'changed';
}
