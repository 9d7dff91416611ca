import { parseNamedQuery } from '@hearth/core/query/query-text.ts';
import { formatPath, type Path, parsePath } from '@hearth/core/tree/path.ts';
import type { Fields } from '@hearth/core/wire/up.ts';
import type { Action } from '../action.ts';
import { findInteger, findQueryObject, mustBeString } from '../fields.ts';
import type { ActiveListen, SessionListens } from '../session-listens.ts';

/** Ends a listen; ending one that is not there is fine. */
export const unlisten: Action = (session, turn, body) => {
  const listen = findListen(session.listens, parsePath(mustBeString(body, 'p')), body);
  if (listen !== undefined) session.listens.remove(turn, listen);
  return '""';
};

function findListen(listens: SessionListens, path: Path, body: Fields): ActiveListen | undefined {
  const tag = findInteger(body, 't');
  if (tag !== undefined) {
    const listen = listens.findQuery(tag);
    return listen !== undefined && formatPath(listen.path) === formatPath(path) ? listen : undefined;
  }
  const query = findQueryObject(body);
  return query === undefined
    ? listens.findDefault(path)
    : listens.findQueryAt(path, parseNamedQuery(query).text);
}
