import { parseQuery } from '../../query/fields.ts';
import { parseNodeJson } from '../../tree/node-json.ts';
import { parsePath, parseWritePath } from '../../tree/path.ts';
import type { ProposedWrite, ReadOperation, WriteOperation } from './operation.ts';
import { queryVariables } from './scope.ts';
import type { AuthObject } from './values.ts';
import { NodeTree } from './views.ts';

export const NOW = 1_700_000_000_000;

/** The caller and the existing data of an operation. */
export interface OperationInputs {
  /** The default is the user `u1`. */
  readonly auth?: AuthObject | null;
  /** The whole tree, as JSON. The default is an empty tree. */
  readonly data?: string;
}

/** Returns a read of `path`, with an optional query in the form that clients send. */
export function readOf(
  path: string,
  { auth = { uid: 'u1' }, data = 'null' }: OperationInputs = {},
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

/**
 * Returns an update of the root. `values` maps paths to JSON texts; the last segment of a path may be
 * `.priority`.
 */
export function writeOf(
  values: Readonly<Record<string, string>>,
  { auth = { uid: 'u1' }, data = 'null' }: OperationInputs = {},
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
