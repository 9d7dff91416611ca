import { exportJson } from '@hearth/core/tree/node-json.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { measureNode, readNode } from '../../../api/data-nodes.ts';
import { useApi } from '../../../session/session.ts';
import { addColumns, fieldsOf, parseFields, type RowFields, valueInColumn } from '../model/cells.ts';
import { printExact } from '../model/leaf-value.ts';
import type { NodePath } from '../model/node-path.ts';
import { type ChangeSign, findHolder, isStagedAround, nodeWithStaged } from '../staging/overlay.ts';
import { parseTree, type StagedList } from '../staging/store.ts';
import { findRow, type TreeRow, type TreeRows } from '../tree/rows.ts';
import { type ColumnType, joinTypes } from './columns.ts';

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
const MAX_STORED = 200;
/** Maximum number of rows that are read concurrently. */
const MAX_CONCURRENT_READS = 4;
/** Maximum size of a row that is read individually, in bytes of JSON text. The table shows no members of a larger row. */
const MAX_ROW_BYTES = 32_768;

const UNREADABLE: RowFields = { kind: 'unknown', isReadable: false };

/** The parsed members of children, so that a row is parsed once while its page is unchanged. */
const parsed = new WeakMap<TableRow['node'], RowFields>();

function parsedFields(node: TableRow['node']): RowFields {
  const known = parsed.get(node);
  if (known !== undefined) return known;
  const fields = fieldsOf(node);
  parsed.set(node, fields);
  return fields;
}

/** Returns a function that returns the members of a row. Drawn rows that are too large for a preview are read individually. */
function useRowFields(database: string, drawn: readonly TableRow[]): (row: TableRow) => RowFields {
  const api = useApi();
  const [kept, setStored] = useState<ReadonlyMap<string, RowFields>>(new Map());
  const requested = useRef(new Set<string>());
  useEffect(() => {
    for (const row of drawn) {
      if (row.kind === 'gone') continue;
      const id = idOf(row);
      const fields = parsedFields(row.node);
      if (fields.kind !== 'unknown' || !fields.isReadable || kept.has(id) || requested.current.has(id))
        continue;
      if (requested.current.size >= MAX_CONCURRENT_READS) return;
      requested.current.add(id);
      void readFields(row.path).then((read) => {
        requested.current.delete(id);
        setStored((before) => new Map([...[...before].slice(1 - MAX_STORED), [id, read]]));
      });
    }
    async function readFields(path: NodePath): Promise<RowFields> {
      try {
        const isSmall = (await measureNode(api, database, path, MAX_ROW_BYTES)) !== null;
        return isSmall ? parseFields((await readNode(api, database, path)).text) : UNREADABLE;
      } catch {
        return UNREADABLE;
      }
    }
  });
  return useCallback(
    (row) => {
      const fields = parsedFields(row.node);
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

/** The value of a row that does not exist on the server yet. */
const NOTHING = {
  kind: 'object',
  childCount: 0,
  isCountPartial: false,
  priority: null,
  preview: '{}',
} as const;

/** The columns of all rows drawn so far, in key order, with the types of their values. */
export interface SeenColumns {
  readonly names: readonly string[];
  readonly types: ReadonlyMap<string, ColumnType>;
}

/** Returns the columns of all rows drawn so far, so that columns stay while the user scrolls. */
export function useSeenColumns(drawn: readonly DrawnRow[]): SeenColumns {
  const columns = useRef<SeenColumns>({ names: [], types: new Map() });
  const seen = useRef(new WeakSet<RowFields>());
  const added = drawn
    .flatMap(({ live, fields }) => (live === fields ? [live] : [live, fields]))
    .filter((fields) => !seen.current.has(fields));
  if (added.length === 0) return columns.current;
  for (const fields of added) seen.current.add(fields);
  const names = addColumns(columns.current.names, added);
  const types = new Map(columns.current.types);
  for (const name of names)
    for (const fields of added) {
      const type = joinTypes(types.get(name), valueInColumn(fields, name));
      if (type !== undefined) types.set(name, type);
    }
  const isSame =
    names === columns.current.names &&
    names.every((name) => types.get(name) === columns.current.types.get(name));
  if (!isSame) columns.current = { names, types };
  return columns.current;
}
