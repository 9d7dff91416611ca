import { useCallback, useMemo } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { PagePosition } from '../../../api/children-address.ts';
import { dataAddress } from '../../../session/addresses.ts';
import { useProjectId } from '../../../session/session.ts';
import { keysOf, type NodePath, pathOf } from './node-path.ts';

export const VIEWS = ['tree', 'table', 'json'] as const;
export type ViewKind = (typeof VIEWS)[number];

/** The view of a database as stored in the address, with functions to change it. */
export interface DataLocation {
  readonly database: string;
  readonly path: NodePath;
  readonly view: ViewKind;
  /** The position of the first page of children. */
  readonly position: PagePosition;
  readonly parameters: URLSearchParams;
  /** Navigates to another node in the same view. */
  go(path: NodePath): void;
  /** Returns the address of another node in the same view. */
  addressOf(path: NodePath): string;
  /** Returns the address of a node in the tree view without other parameters, except the impersonated principal. */
  plainAddressOf(path: NodePath): string;
  /** Navigates to a node in another view. */
  show(path: NodePath, view: ViewKind): void;
  /** Changes parameters of the address. `null` removes a parameter. */
  set(changes: Readonly<Record<string, string | null>>): void;
  /** Like `set`, but replaces the current entry of the browser history. */
  replace(changes: Readonly<Record<string, string | null>>): void;
}

/** Parameters that belong to one node, and not to the view. */
const NODE_PARAMETERS = ['from', 'tail', 'row', 'open'];

export function useDataLocation(): DataLocation {
  const project = useProjectId();
  const { database = '', '*': rest = '' } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const navigate = useNavigate();
  const path = pathOf(keysOf(rest));
  const view = VIEWS.find((one) => one === parameters.get('view')) ?? 'tree';
  const from = parameters.get('from');
  const isTail = parameters.get('tail') === 'true';
  const addressOf = useCallback(
    (to: NodePath) => {
      const kept = new URLSearchParams(parameters);
      for (const name of NODE_PARAMETERS) kept.delete(name);
      const text = kept.toString();
      return `${dataAddress(project, database, to)}${text === '' ? '' : `?${text}`}`;
    },
    [project, database, parameters],
  );
  const set = useCallback(
    (changes: Changes) => setParameters((before) => changed(before, changes)),
    [setParameters],
  );
  const replace = useCallback(
    (changes: Changes) => setParameters((before) => changed(before, changes), { replace: true }),
    [setParameters],
  );
  return useMemo(
    () => ({
      database,
      path,
      view,
      position: isTail ? { kind: 'last' } : from === null ? { kind: 'first' } : { kind: 'from', key: from },
      parameters,
      go: (to) => void navigate(addressOf(to)),
      addressOf,
      plainAddressOf: (to) => {
        const impersonated = parameters.get('as');
        const address = dataAddress(project, database, to);
        return impersonated === null ? address : `${address}?${new URLSearchParams({ as: impersonated })}`;
      },
      show: (to, other) => {
        const kept = changed(parameters, {
          view: other === 'tree' ? null : other,
          from: null,
          tail: null,
          row: null,
          open: null,
        });
        void navigate(`${dataAddress(project, database, to)}?${kept}`);
      },
      set,
      replace,
    }),
    [project, database, path, view, from, isTail, parameters, navigate, addressOf, set, replace],
  );
}

type Changes = Readonly<Record<string, string | null>>;

function changed(before: URLSearchParams, changes: Changes): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes))
    if (value === null) after.delete(name);
    else after.set(name, value);
  return after;
}
