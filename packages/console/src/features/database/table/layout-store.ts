import { useCallback, useEffect, useState } from 'react';
import { useProjectId, useSession } from '../../../session/session.ts';
import type { NodePath } from '../model/node-path.ts';
import { type ColumnLayout, NEW_LAYOUT, parseLayout } from './columns.ts';

/** Maximum number of paths whose columns are stored for one user in one project. The oldest are dropped. */
export const MAX_LAYOUTS = 50;

/** Returns the key in local storage for a user's layouts in a project. */
export function layoutsKey(project: string, uid: string | null): string {
  return `hearth.console.columns.${project}.${uid ?? ''}`;
}

/** Reads the layout of a node's table; the default if none is stored or the browser blocks the storage. */
export function readLayout(key: string, at: string): ColumnLayout {
  const found = readLayouts(key).find(([name]) => name === at);
  return found === undefined ? NEW_LAYOUT : parseLayout(found[1]);
}

/** Stores the layout of a node's table as the latest one. */
export function writeLayout(key: string, at: string, layout: ColumnLayout): void {
  const others = readLayouts(key).filter(([name]) => name !== at);
  try {
    localStorage.setItem(key, JSON.stringify([...others.slice(1 - MAX_LAYOUTS), [at, layout]]));
  } catch {
    // Without storage, the layout lasts until the table is closed.
  }
}

function readLayouts(key: string): readonly (readonly [string, unknown])[] {
  try {
    const json: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(json) ? json.filter(isStored) : [];
  } catch {
    return [];
  }
}

function isStored(json: unknown): json is readonly [string, unknown] {
  return Array.isArray(json) && typeof json[0] === 'string';
}

/** Returns the layout of the table of a node, and a function that changes it. */
export function useColumnLayout(
  database: string,
  path: NodePath,
): readonly [ColumnLayout, (change: (before: ColumnLayout) => ColumnLayout) => void] {
  const project = useProjectId();
  const { user } = useSession();
  const key = layoutsKey(project, user?.uid ?? null);
  const at = `${database}${path}`;
  const [layout, setLayout] = useState(() => readLayout(key, at));
  const [isChanged, setChanged] = useState(false);
  useEffect(() => {
    if (isChanged) writeLayout(key, at, layout);
  }, [isChanged, key, at, layout]);
  const change = useCallback((by: (before: ColumnLayout) => ColumnLayout) => {
    setChanged(true);
    setLayout(by);
  }, []);
  return [layout, change];
}
