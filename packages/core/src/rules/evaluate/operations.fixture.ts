import { parseQuery } from '../../query/fields.ts';
import { parseNodeJson } from '../../tree/node-json.ts';
import { parsePath, parseWritePath } from '../../tree/path.ts';
import type { ProposedWrite, ReadOperation, WriteOperation } from './operation.ts';
import { queryVariables } from './scope.ts';
import type { AuthObject } from './values.ts';
import { NodeTree } from './views.ts';

export const NOW = 1_700_000_000_000;

/** Who reads or writes, and what is there. */
export interface Circumstances {
  /** The user `u1` if it is left out. */
  readonly auth?: AuthObject | null;
  /** The whole tree, as JSON; nothing if it is left out. */
  readonly data?: string;
}

/** A read of `path` with a query as clients send it, if any. */
export function readOf(
  path: string,
  { auth = { uid: 'u1' }, data = 'null' }: Circumstances = {},
  query?: object,
): ReadOperation {
  return {
    auth,
    now: NOW,
    tree: new NodeTree(parseNodeJson(data)),
    path: parsePath(path),
    query: queryVariables(query === undefined ? null : parseQuery(query)),
  };
}

/** An update of the root: JSON texts by path, of which the last segment may be `.priority`. */
export function writeOf(
  values: Readonly<Record<string, string>>,
  { auth = { uid: 'u1' }, data = 'null' }: Circumstances = {},
): WriteOperation {
  return {
    auth,
    now: NOW,
    tree: new NodeTree(parseNodeJson(data)),
    writes: Object.entries(values).map(([text, json]) => parseProposed(text, json)),
  };
}

function parseProposed(text: string, json: string): ProposedWrite {
  const { path, isPriority } = parseWritePath(text);
  return isPriority
    ? { kind: 'priority', path, priority: JSON.parse(json) }
    : { kind: 'node', path, node: parseNodeJson(json) };
}
