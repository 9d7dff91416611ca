import { isUnfiltered, parseQuery } from '@hearth/core/query/query.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { mustBeIndexed } from '../../database/indexed.ts';
import { mustBeReadable } from '../../database/permission.ts';
import { readNotedQuery } from '../../database/read-noted-query.ts';
import type { Action } from '../action.ts';
import { findQueryObject, mustBeString } from '../fields.ts';

/** Reads a node, or what a query shows of it, once. */
export const readOnce: Action = (session, turn, body) => {
  const path = parsePath(mustBeString(body, 'p'));
  const query = parseQuery(findQueryObject(body) ?? {});
  const { database, identity } = session;
  mustBeReadable(turn, database, { operation: 'get', identity }, { path, query });
  mustBeIndexed(turn, database, path, query.index);
  const tree = database.tree(turn);
  if (isUnfiltered(query)) return tree.nodeJson(path, 'export');
  return tree.childrenJson(
    path,
    readNotedQuery(turn, database, path, query).map((entry) => entry.key),
  );
};
