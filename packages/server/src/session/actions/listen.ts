import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type NamedQuery, parseNamedQuery } from '@hearth/core/query/query-text.ts';
import { formatPath, type Path, parsePath } from '@hearth/core/tree/path.ts';
import { setPush } from '@hearth/core/wire/down.ts';
import { Frame } from '../../commit/frame.ts';
import type { Turn } from '../../commit/turn.ts';
import { isIndexed } from '../../database/indexed.ts';
import { mayRead } from '../../database/permission.ts';
import { readNotedQuery } from '../../database/read-noted-query.ts';
import type { Action, ActionSession } from '../action.ts';
import { findInteger, findQueryObject, findString, mustBeString } from '../fields.ts';

/**
 * Starts telling the client about a node, or about what a query shows of it. Data goes first, unless the client's hash
 * says that it has them, then the answer.
 */
export const listen: Action = (session, turn, body) => {
  const path = parsePath(mustBeString(body, 'p'));
  const hash = findString(body, 'h') ?? '';
  const tag = findInteger(body, 't');
  // A query is told apart by its tag: what is sent without one goes for the whole node.
  const queryObject = findQueryObject(body);
  if (queryObject !== undefined && tag === undefined)
    throw new Refusal('request/malformed', 'A listen to a query has a tag "t".');
  const named = tag === undefined ? null : parseNamedQuery(queryObject ?? {});
  const { database, identity } = session;
  const query = named?.query ?? null;
  if (!mayRead(turn, database, { operation: 'listen', identity }, { path, query })) {
    // Who is told no takes it that it does not listen, whatever it listened to before.
    const before = tag === undefined ? session.listens.findDefault(path) : session.listens.findQuery(tag);
    if (before !== undefined) session.listens.remove(turn, before);
    throw new Refusal('access/denied');
  }
  return tag === undefined || named === null
    ? listenToNode(session, turn, path, hash)
    : listenToQuery(session, turn, path, hash, named, tag);
};

function listenToNode(session: ActionSession, turn: Turn, path: Path, hash: string): string {
  session.listens.mustHaveRoom(path);
  const tree = session.database.tree(turn);
  if (!hasThese(hash, () => tree.hash(path)))
    turn.send(session, new Frame(setPush(formatPath(path), tree.nodeJson(path, 'export'))));
  session.listens.addDefault(turn, path);
  return '{}';
}

function listenToQuery(
  session: ActionSession,
  turn: Turn,
  path: Path,
  hash: string,
  { query, text }: NamedQuery,
  tag: number,
): string {
  session.listens.mustHaveRoom(path, text, tag);
  const tree = session.database.tree(turn);
  const known = session.database.listens.findQuery(path, text)?.window;
  const entries = known ?? readNotedQuery(turn, session.database, path, query);
  const keys = entries.map((entry) => entry.key);
  if (!hasThese(hash, () => tree.childrenHash(path, keys)))
    turn.send(session, new Frame(setPush(formatPath(path), tree.childrenJson(path, keys), tag)));
  session.listens.addQuery(turn, path, query, text, tag, query.limit === null ? null : entries);
  return isIndexed(session.database, path, query.index) ? '{}' : '{"w":["no_index"]}';
}

/** Does a client's hash say that it has what is there? What is too big to be hashed is sent again. */
function hasThese(hash: string, hashOf: () => string): boolean {
  if (hash === '') return false;
  try {
    return hashOf() === hash;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'read/too-big') return false;
    throw error;
  }
}
