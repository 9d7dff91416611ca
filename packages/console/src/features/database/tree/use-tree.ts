import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { followChildPage, readChildPage, readOutline, takePrefetchedPage } from '../../../api/data.ts';
import { useApi } from '../../../session/session.ts';
import type { DataLocation } from '../model/location.ts';
import { keysOf, type NodePath, pathOf } from '../model/node-path.ts';
import type { StagedList } from '../staging/store.ts';
import type { TreeRows } from './rows.ts';
import { type TreeConnection, TreeModel } from './tree-model.ts';

/** Maximum length of the open nodes in the address, URL-encoded, because apps may truncate long links. */
export const MAX_OPEN_LENGTH = 1_500;

/** Separates paths; keys cannot contain it. */
const SEPARATOR = '.';

/**
 * Returns the open nodes as an address parameter: their paths relative to the root of the view. Those nearest to the root come
 * first, and those that do not fit are left out. Returns `null` if none is open.
 */
export function printOpenNodes(root: NodePath, open: readonly NodePath[]): string | null {
  const above = keysOf(root).length;
  const paths = open.map((path) => keysOf(path).slice(above)).sort((a, b) => a.length - b.length);
  let text = '';
  for (const path of paths) {
    const longer = [...(text === '' ? [] : [text]), path.join('/')].join(SEPARATOR);
    if (encodeURIComponent(longer).length > MAX_OPEN_LENGTH) break;
    text = longer;
  }
  return text === '' ? null : text;
}

/** Parses the open nodes of an address. */
export function readOpenNodes(root: NodePath, text: string | null): readonly NodePath[] {
  const above = keysOf(root);
  const parts = (text ?? '').split(SEPARATOR).map(keysOf);
  return parts.filter((keys) => keys.length > 0).map((keys) => pathOf([...above, ...keys]));
}

export interface Tree {
  readonly model: TreeModel;
  readonly rows: TreeRows;
  readonly connection: TreeConnection;
}

interface TreeOptions {
  /** The address parameter of open nodes. */
  readonly open?: string | null;
  /** Maximum length of each preview, in UTF-16 code units; the server's default if absent. */
  readonly preview?: number;
}

/** Returns the tree below the node of the address, with staged edits over it, while the view is mounted. */
export function useTree(
  { database, path: root, position }: DataLocation,
  staged: StagedList,
  { open = null, preview }: TreeOptions = {},
): Tree {
  const api = useApi();
  const from = 'key' in position ? position.key : null;
  const isTail = position.kind === 'last';
  // Only the initial open nodes are read from the address.
  const opened = useRef(open);
  opened.current = open;
  const model = useMemo(() => {
    const previewing = preview === undefined ? {} : { preview };
    return new TreeModel(
      root,
      {
        takePrefetched: (request) => takePrefetchedPage(api, database, { ...request, ...previewing }),
        read: (request, signal) => readChildPage(api, database, { ...request, ...previewing }, signal),
        outline: (path, onCount, signal) => readOutline(api, database, path, onCount, signal),
        follow: (request, signal) => followChildPage(api, database, { ...request, ...previewing }, signal),
      },
      {
        position: from === null ? { kind: 'first' } : { kind: 'from', key: from },
        open: readOpenNodes(root, opened.current),
      },
    );
  }, [api, database, root, from, preview]);
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

/** Delay in ms before a changed tree is written to the address. */
const ADDRESS_MS = 400;

/** Writes the active row and the open nodes to the address, so that a link restores them. */
export function useTreeInAddress(
  active: NodePath | null,
  { branches }: TreeRows,
  { path: root, parameters, replace }: DataLocation,
): void {
  const open = printOpenNodes(
    root,
    [...branches.keys()].filter((path) => path !== root),
  );
  const reportedActive = parameters.get('row');
  const reportedOpen = parameters.get('open');
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (active === reportedActive && open === reportedOpen) return;
    const timer = setTimeout(() => {
      // If the user is navigating to another address that is not rendered yet, `replace` would revert it.
      const isHere = location.search === search && location.pathname.endsWith(pathname);
      if (isHere) replace({ row: active, open });
    }, ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [active, reportedActive, open, reportedOpen, replace, pathname, search]);
}
