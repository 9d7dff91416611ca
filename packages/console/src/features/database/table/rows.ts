import { exportJson } from '@hearth/core/tree/node-json.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readNode } from '../../../api/data-nodes.ts';
import { useApi } from '../../../session/session.ts';
import { addColumns, fieldsOf, parseFields, type RowFields } from '../model/cells.ts';
import { printExact } from '../model/leaf-value.ts';
import type { NodePath } from '../model/node-path.ts';
import { type ChangeSign, findHolder, isStagedAround, nodeWithStaged } from '../staging/overlay.ts';
import { parseTree, type StagedList } from '../staging/store.ts';
import { findRow, type TreeRow, type TreeRows } from '../tree/rows.ts';

/** Returns the members of a row with staged edits applied. `live` has the members of the row on the server. */
function overlayFields(path: NodePath, live: RowFields, list: StagedList): RowFields {
  if (!isStagedAround(list, path)) return live;
  // The members of an unknown row are known only if the row is part of a staged edit.
  if (live.kind === 'unknown' && findHolder(list, path) === undefined) return live;
  const node = nodeWithStaged(path, parseTree(printRow(live), path), list);
  // A row with a staged removal still shows its current members.
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

/** Returns the staged change of a cell; `undefined` if it does not change. */
export function signOfCell(live: unknown, staged: unknown): ChangeSign | undefined {
  if (live === staged || printExact(live ?? null, 0) === printExact(staged ?? null, 0)) return undefined;
  if (live === undefined || live === null) return 'added';
  return staged === undefined || staged === null ? 'removed' : 'changed';
}

/** A child as a row of the table. */
export type TableRow = Extract<TreeRow, { kind: 'node' | 'gone' }>;

/** Maximum number of cached rows that were read individually. */
const MAX_STORED = 500;
/** Maximum number of rows that are read concurrently. */
const MAX_CONCURRENT_READS = 4;

/** Returns a function that returns the members of a row. Drawn rows with an incomplete preview are read individually. */
function useRowFields(database: string, drawn: readonly TableRow[]): (row: TableRow) => RowFields {
  const api = useApi();
  const [kept, setStored] = useState<ReadonlyMap<string, RowFields>>(new Map());
  const requested = useRef(new Set<string>());
  useEffect(() => {
    for (const row of drawn) {
      if (row.kind === 'gone') continue;
      const id = idOf(row);
      const fields = fieldsOf(row.node);
      if (fields.kind !== 'unknown' || !fields.isSmall || kept.has(id) || requested.current.has(id)) continue;
      if (requested.current.size >= MAX_CONCURRENT_READS) return;
      requested.current.add(id);
      void readFields(row.path).then((read) => {
        requested.current.delete(id);
        setStored((before) => new Map([...[...before].slice(-MAX_STORED), [id, read]]));
      });
    }
    async function readFields(path: NodePath): Promise<RowFields> {
      try {
        return parseFields((await readNode(api, database, path)).text);
      } catch {
        return { kind: 'unknown', isSmall: false };
      }
    }
  });
  return useCallback(
    (row) => {
      const fields = fieldsOf(row.node);
      return fields.kind === 'unknown' ? (kept.get(idOf(row)) ?? fields) : fields;
    },
    [kept],
  );
}

/** Returns a key for a row that differs after each change. */
function idOf(row: TableRow): string {
  return row.kind === 'node' ? `${row.path}#${row.changedAtMs}` : row.id;
}

export interface DrawnRow {
  readonly index: number;
  readonly row: TableRow;
  /** The members of the row on the server. */
  readonly live: RowFields;
  /** The members of the row with staged edits applied. */
  readonly fields: RowFields;
}

interface TableRows {
  /** The rows on the screen. */
  readonly drawn: readonly DrawnRow[];
  /** Returns a loaded row; `undefined` if it is fading out or not loaded. */
  rowAt(index: number): DrawnRow | undefined;
}

export function useTableRows(
  database: string,
  rows: TreeRows,
  shown: { readonly first: number; readonly end: number },
  staged: StagedList,
): TableRows {
  const found: { readonly index: number; readonly row: TableRow }[] = [];
  for (let index = shown.first; index < shown.end; index++) {
    const row = findRow(rows, index);
    if (row?.kind === 'node' || row?.kind === 'gone') found.push({ index, row });
  }
  const readFields = useRowFields(
    database,
    found.map(({ row }) => liveRow(row)),
  );
  function draw(index: number, row: TableRow): DrawnRow {
    const live = readFields(liveRow(row));
    return { index, row, live, fields: row.kind === 'gone' ? live : overlayFields(row.path, live, staged) };
  }
  return {
    drawn: found.map(({ index, row }) => draw(index, row)),
    rowAt(index) {
      const row = findRow(rows, index);
      return row?.kind === 'node' ? draw(index, row) : undefined;
    },
  };
}

/** Returns a row as it is on the server, without staged edits. */
function liveRow(row: TableRow): TableRow {
  const { staged } = row.node;
  return staged === undefined ? row : { ...row, node: staged.live ?? { ...NOTHING, key: row.node.key } };
}

/** Stands for a row that does not exist on the server yet. */
const NOTHING = {
  kind: 'object',
  childCount: 0,
  isCountPartial: false,
  priority: null,
  preview: '{}',
} as const;

/** Returns the columns of all rows drawn so far, so that columns stay while the user scrolls. */
export function useColumns(drawn: readonly RowFields[]): readonly string[] {
  const columns = useRef<readonly string[]>([]);
  columns.current = addColumns(columns.current, drawn);
  return columns.current;
}
