import { useCallback, useEffect, useRef, useState } from 'react';
import { readNode } from '../../../server/data-nodes.ts';
import { useApi } from '../../../session/session.ts';
import type { NodePath } from '../model/node-path.ts';
import { fieldsOf, parseFields, type RowFields } from './cell-grid.ts';
import type { TableRow } from './table-row.ts';

/** Rows that are kept beyond what pages tell. */
const MAX_KEPT = 500;
/** Rows that are asked for at a time. */
const MAX_ASKED = 4;

/** The members of rows: of most from their page, of the others read when they are drawn. */
export function useRowFields(database: string, drawn: readonly TableRow[]): (row: TableRow) => RowFields {
  const api = useApi();
  const [kept, setKept] = useState<ReadonlyMap<string, RowFields>>(new Map());
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
        setKept((before) => new Map([...[...before].slice(-MAX_KEPT), [id, read]]));
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
