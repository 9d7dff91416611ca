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

/** A row of the table as it is to be. `live` is what its members are on the server. */
function overlayFields(path: NodePath, live: RowFields, list: StagedList): RowFields {
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

/** A child as a row of the table. */
export type TableRow = Extract<TreeRow, { kind: 'node' | 'gone' }>;

/** Rows that are kept beyond what pages tell. */
const MAX_STORED = 500;
/** Rows that are asked for at a time. */
const MAX_ASKED = 4;

/** The members of rows: of most from their page, of the others read when they are drawn. */
function useRowFields(database: string, drawn: readonly TableRow[]): (row: TableRow) => RowFields {
  const api = useApi();
  const [kept, setStored] = useState<ReadonlyMap<string, RowFields>>(new Map());
  const asked = useRef(new Set<string>());
  useEffect(() => {
    for (const row of drawn) {
      if (row.kind === 'gone') continue;
      const id = idOf(row);
      const fields = fieldsOf(row.node);
      if (fields.kind !== 'unknown' || !fields.isSmall || kept.has(id) || asked.current.has(id)) continue;
      if (asked.current.size >= MAX_ASKED) return;
      asked.current.add(id);
      void readFields(row.path).then((read) => {
        asked.current.delete(id);
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

/** A row as it was when it was last changed. */
function idOf(row: TableRow): string {
  return row.kind === 'node' ? `${row.path}#${row.changedAtMs}` : row.id;
}

export interface DrawnRow {
  readonly index: number;
  readonly row: TableRow;
  /** What its members are on the server. */
  readonly live: RowFields;
  /** What they are to be. */
  readonly fields: RowFields;
}

interface TableRows {
  /** The rows that are on the screen. */
  readonly drawn: readonly DrawnRow[];
  /** Any row that is held; `undefined` for those that fade, or are not read. */
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

/** The row as it is on the server, with nothing staged over it. */
function liveRow(row: TableRow): TableRow {
  const { staged } = row.node;
  return staged === undefined ? row : { ...row, node: staged.live ?? { ...NOTHING, key: row.node.key } };
}

/** In the place of a row that is not on the server yet. */
const NOTHING = { kind: 'object', childCount: 0, priority: null, preview: '{}' } as const;

/** The columns of all rows that were drawn so far: they stay while one scrolls. */
export function useColumns(drawn: readonly RowFields[]): readonly string[] {
  const columns = useRef<readonly string[]>([]);
  columns.current = addColumns(columns.current, drawn);
  return columns.current;
}
