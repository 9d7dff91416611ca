import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { followChildPage, type PagePlace, readChildPage } from '../../../server/data.ts';
import { useApi } from '../../../session/session.ts';
import type { NodePath } from '../model/node-path.ts';
import { type TreeConnection, TreeModel } from './tree-model.ts';
import type { TreeRows } from './tree-rows.ts';

export interface Tree {
  readonly model: TreeModel;
  readonly rows: TreeRows;
  readonly connection: TreeConnection;
}

/** The tree below a node of a database, as long as the view is there. `place` is where its children are shown first. */
export function useTree(database: string, root: NodePath, place: PagePlace): Tree {
  const api = useApi();
  const from = 'key' in place ? place.key : null;
  const isTail = place.kind === 'last';
  const model = useMemo(
    () =>
      new TreeModel(
        root,
        {
          read: (request, signal) => readChildPage(api, database, request, signal),
          follow: (request, signal) => followChildPage(api, database, request, signal),
        },
        from === null ? { kind: 'first' } : { kind: 'from', key: from },
      ),
    [api, database, root, from],
  );
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
