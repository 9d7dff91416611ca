import { useCallback, useMemo, useState } from 'react';
import type { NodePath } from '../model/node-path.ts';
import { findIndex, findRow, type TreeRows } from './tree-rows.ts';

/** Most lines that are selected at a time. */
const MAX_SELECTED = 1_000;

/** Lines that are meant: one that keys act on, and all that are done something with together. */
export interface TreeSelection {
  readonly active: NodePath | null;
  readonly paths: ReadonlySet<NodePath>;
  /** `move` selects one line alone, `toggle` adds or takes it, `extend` selects all from the last one on. */
  activate(path: NodePath, how: 'move' | 'toggle' | 'extend' | 'keep'): void;
  clear(): void;
}

interface State {
  readonly active: NodePath | null;
  readonly paths: ReadonlySet<NodePath>;
  readonly from: NodePath | null;
}

const NONE: State = { active: null, paths: new Set(), from: null };

export function useTreeSelection(rows: TreeRows, initial: NodePath | null): TreeSelection {
  const [state, setState] = useState<State>(() =>
    initial === null ? NONE : { active: initial, paths: new Set([initial]), from: initial },
  );
  const activate = useCallback<TreeSelection['activate']>(
    (path, how) =>
      setState((before) => {
        if (how === 'keep') return { ...before, active: path };
        if (how === 'move') return { active: path, paths: new Set([path]), from: path };
        if (how === 'extend' && before.from !== null)
          return { active: path, paths: pathsBetween(rows, before.from, path), from: before.from };
        const paths = new Set(before.paths);
        if (!paths.delete(path) && paths.size < MAX_SELECTED) paths.add(path);
        return { active: path, paths, from: path };
      }),
    [rows],
  );
  const clear = useCallback(() => setState(NONE), []);
  return useMemo(
    () => ({ active: state.active, paths: state.paths, activate, clear }),
    [state, activate, clear],
  );
}

function pathsBetween(rows: TreeRows, a: NodePath, b: NodePath): ReadonlySet<NodePath> {
  const ends = [findIndex(rows, a), findIndex(rows, b)];
  const paths = new Set([b]);
  const first = Math.min(...ends);
  if (first < 0) return paths;
  for (let index = first; index <= Math.max(...ends) && paths.size < MAX_SELECTED; index++) {
    const row = findRow(rows, index);
    if (row?.kind === 'node') paths.add(row.path);
  }
  return paths;
}
