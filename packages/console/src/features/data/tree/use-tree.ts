import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { followChildPage, readChildPage, takeKnownPage } from '../../../server/data.ts';
import { useApi } from '../../../session/session.ts';
import { readOpenNodes } from '../model/open-nodes.ts';
import type { DataPlace } from '../model/use-data-place.ts';
import type { StagedList } from '../staged/staged-list.ts';
import { type TreeConnection, TreeModel } from './tree-model.ts';
import type { TreeRows } from './tree-rows.ts';

export interface Tree {
  readonly model: TreeModel;
  readonly rows: TreeRows;
  readonly connection: TreeConnection;
}

/**
 * The tree below the node of the address, with staged edits over it, as long as the view is there. `open` is what the
 * address says of open nodes.
 */
export function useTree(
  { database, path: root, place }: DataPlace,
  staged: StagedList,
  open: string | null = null,
): Tree {
  const api = useApi();
  const from = 'key' in place ? place.key : null;
  const isTail = place.kind === 'last';
  // A tree begins with what the address says, and goes on by itself.
  const opened = useRef(open);
  opened.current = open;
  const model = useMemo(
    () =>
      new TreeModel(
        root,
        {
          takeKnown: (request) => takeKnownPage(api, database, request),
          read: (request, signal) => readChildPage(api, database, request, signal),
          follow: (request, signal) => followChildPage(api, database, request, signal),
        },
        {
          place: from === null ? { kind: 'first' } : { kind: 'from', key: from },
          open: readOpenNodes(root, opened.current),
        },
      ),
    [api, database, root, from],
  );
  useLayoutEffect(() => model.stage(staged), [model, staged]);
  useEffect(() => {
    if (isTail) model.jump(root, { kind: 'last' });
    else model.leaveTail(root);
  }, [model, root, isTail]);
  useEffect(() => {
    model.start();
    return () => model[Symbol.dispose]();
  }, [model]);
  const rows = useSyncExternalStore(model.subscribe, () => model.rows);
  const connection = useSyncExternalStore(model.subscribe, () => model.connection);
  return { model, rows, connection };
}
