import { Refusal } from '@hearth/core/fault/refusal.ts';
import { isUnfiltered, parseQuery } from '@hearth/core/query/query.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { mustBeIndexed } from '../../database/indexed.ts';
import { canRead } from '../../rules/decide.ts';
import type { Action } from '../action.ts';
import { findQueryObject, mustBeString } from '../fields.ts';

/** Reads a node, or what a query shows of it, once. */
export const readOnce: Action = (session, turn, body) => {
  const path = parsePath(mustBeString(body, 'p'));
  const query = parseQuery(findQueryObject(body) ?? {});
  if (!canRead(session.database.rules, path, session.identity)) throw new Refusal('access/denied');
  mustBeIndexed(session.database, path, query.index);
  const tree = session.database.tree(turn);
  if (isUnfiltered(query)) return tree.nodeJson(path, 'export');
  return tree.childrenJson(
    path,
    tree.readQuery(path, query).map((entry) => entry.key),
  );
};
