import { RequestError } from '@hearth/core/error/request-error.ts';
import { type NamedQuery, parseNamedQuery, parseQuery } from '@hearth/core/query/fields.ts';
import { isUnfiltered } from '@hearth/core/query/query.ts';
import { canonicalJson } from '@hearth/core/tree/json-text.ts';
import { formatPath, type Path, parsePath, parseWritePath } from '@hearth/core/tree/path.ts';
import { type Fields, isNestedDeeperThan } from '@hearth/core/wire/client-messages.ts';
import { LongJson } from '@hearth/core/wire/long-message.ts';
import type { OperationName } from '../../access/authorization-request.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { isReadable, mayRead, requireReadable } from '../database/authorize.ts';
import { isIndexed, requireIndexed } from '../database/read.ts';
import { executeWrite, requireAllowedNow } from '../database/write.ts';
import { type DraftWrite, MAX_UPDATE_PATHS, parseSet, parseUpdate } from '../database/write-input.ts';
import { changeQueue } from '../disconnect/queue.ts';
import {
  type Action,
  type ActionEntry,
  type ActionSession,
  contextOf,
  cutText,
  findData,
  findExpected,
  findInteger,
  findQueryObject,
  findString,
  requireData,
  requireString,
} from './action.ts';
import { parseCredential, unauthenticate } from './credentials.ts';
import { findWindow, readEntries, readValue, sendNode, sendQuery } from './initial-value.ts';
import { put } from './put.ts';
import type { SessionListens } from './session-listens.ts';
import type { ActiveListen, ListenChecker } from './unchecked-listens.ts';

/** Deepest data that `echo` accepts, the same as for stored data. */
const MAX_LEVELS = 32;

/**
 * Maximum length of an object or a list that `echo` accepts, in UTF-16 code units of its JSON text: the response is
 * generated at once. A string of any length costs little.
 */
const MAX_ECHO_UNITS = 262_144;

/** Responds with the sent data, for the tests of clients. */
const echo: Action = (session, _transaction, body) => {
  const data = body['d'];
  if (data instanceof LongJson && data.text.length > MAX_ECHO_UNITS && !data.text.startsWith('"'))
    throw new RequestError('request/malformed', `The field "d" is longer than ${MAX_ECHO_UNITS} characters.`);
  const json = findData(session, body);
  if (isNestedDeeperThan(json, MAX_LEVELS))
    throw new RequestError('request/malformed', `The field "d" is nested deeper than ${MAX_LEVELS} levels.`);
  return canonicalJson(json);
};

/** Reads a node, or the result of a query, once. */
const readOnce: Action = (session, transaction, body) => {
  const path = parsePath(requireString(body, 'p'));
  const query = parseQuery(findQueryObject(body) ?? {});
  const { database } = session;
  requireReadable(transaction, database, contextOf(session, 'get'), { path, query });
  requireIndexed(transaction, database, path, query.index);
  const tree = database.tree(transaction);
  if (isUnfiltered(query))
    return readValue(session, transaction, {
      path,
      json: (maxBytes) => tree.nodeJson(path, 'export', maxBytes),
      openPieces: tree.selectionJson(path, { kind: 'node' }, 'export'),
    });
  const keys = readEntries(session, transaction, path, query, session.scan).map((entry) => entry.key);
  return readValue(session, transaction, {
    path,
    json: (maxBytes) => tree.childrenJson(path, keys, maxBytes),
    openPieces: tree.childrenPieces(path, keys),
  });
};

/**
 * Starts a listen to a node or to a query. The data precede the response, unless the client's hash shows that
 * it has them already.
 */
const listen: Action = (session, transaction, body) => {
  const path = parsePath(requireString(body, 'p'));
  const hash = findString(body, 'h') ?? '';
  const tag = findInteger(body, 't');
  // A query is identified by its tag: data without a tag belong to the whole node.
  const queryObject = findQueryObject(body);
  if (queryObject !== undefined && tag === undefined)
    throw new RequestError('request/malformed', 'A listen to a query needs a tag "t".');
  const named = tag === undefined ? null : parseNamedQuery(queryObject ?? {});
  const { database } = session;
  const query = named?.query ?? null;
  if (!mayRead(transaction, database, contextOf(session, 'listen'), { path, query })) {
    // After an error, the client assumes that it has no listen at this path, even if it had one before.
    const before = tag === undefined ? session.listens.findDefault(path) : session.listens.findQuery(tag);
    if (before !== undefined) session.listens.remove(transaction, before);
    throw new RequestError('access/denied');
  }
  return tag === undefined || named === null
    ? listenToNode(session, transaction, path, hash)
    : listenToQuery(session, transaction, path, hash, named, tag);
};

function listenToNode(
  session: ActionSession,
  transaction: WriteTransaction,
  path: Path,
  hash: string,
): string {
  session.listens.requireCapacity(path);
  sendNode(session, transaction, path, hash);
  session.listens.addDefault(transaction, path);
  return '{}';
}

function listenToQuery(
  session: ActionSession,
  transaction: WriteTransaction,
  path: Path,
  hash: string,
  { query, text }: NamedQuery,
  tag: number,
): string {
  session.listens.requireCapacity(path, text, tag);
  const known = findWindow(session.database, path, text);
  const entries = known ?? readEntries(session, transaction, path, query, session.scan);
  if (known === undefined && query.limit !== null)
    session.listens.requireCapacity(path, text, tag, entries.length);
  sendQuery(session, transaction, path, hash, tag, entries);
  session.listens.addQuery(transaction, path, query, text, tag, query.limit === null ? null : entries);
  return isIndexed(session.database, path, query.index) ? '{}' : '{"w":["no_index"]}';
}

/** Returns what authorizes the listens of a session. `queueHeldValues` lets the session execute `heldValuesRequest`. */
export function listenChecker(session: ActionSession, queueHeldValues: () => void): ListenChecker {
  const { database } = session;
  return {
    isReadable: (transaction, { path, ...listen }) => {
      const query = listen.kind === 'query' ? listen.query : null;
      return isReadable(transaction, database, contextOf(session, 'listen'), { path, query });
    },
    queueHeldValues,
  };
}

/** Writes several paths, all or none. */
const merge: Action = (session, transaction, body) => {
  const base = parsePath(requireString(body, 'p'));
  const expected = findExpected(body, base);
  executeWrite(transaction, session.database, {
    ...contextOf(session, 'merge'),
    writes: parseUpdate(base, findData(session, body, MAX_UPDATE_PATHS)),
    ...(expected === undefined ? {} : { expected }),
  });
  return '""';
};

/** Maximum length of a client's name, in UTF-16 code units. */
const MAX_NAME_UNITS = 64;

/**
 * Reads the statistics in which official clients report their name: `{"c":{"sdk.js.12-0-0":1}}`. The rest is
 * not stored.
 */
const recordClient: Action = (session, _transaction, body) => {
  const counters = body['c'];
  const names = typeof counters === 'object' && counters !== null ? Object.keys(counters) : [];
  const sdk = names.find((name) => name.startsWith('sdk.'));
  if (sdk !== undefined) session.sdk = cutText(sdk, MAX_NAME_UNITS);
  return '""';
};

/** Maximum number of paths of an update that is queued for when the client disconnects. */
const MAX_QUEUED_PATHS = 500;

/**
 * Throws `write/too-big` for long data. Queued data are parsed again for each request below their path, and when they are
 * executed.
 */
function rejectLongData(body: Fields): void {
  if (body['d'] instanceof LongJson)
    throw new RequestError('write/too-big', 'The data of an onDisconnect request are too long.');
}

/** Queues a write for when the client disconnects. */
const setOnDisconnect: Action = (session, transaction, body) => {
  rejectLongData(body);
  queueAll(session, transaction, 'onDisconnectPut', [
    parseSet(parseWritePath(requireString(body, 'p')), requireData(session, body)),
  ]);
  return '""';
};

/** Queues an update for when the client disconnects. */
const mergeOnDisconnect: Action = (session, transaction, body) => {
  rejectLongData(body);
  const writes = parseUpdate(parsePath(requireString(body, 'p')), findData(session, body), MAX_QUEUED_PATHS);
  queueAll(session, transaction, 'onDisconnectMerge', writes);
  return '""';
};

/** Removes the queued writes at a path and below. */
const cancelOnDisconnect: Action = (session, transaction, body) => {
  const { path } = parseWritePath(requireString(body, 'p'));
  changeQueue(transaction, session, (pending) => pending.cancel(path));
  return '""';
};

function queueAll(
  session: ActionSession,
  transaction: WriteTransaction,
  operation: OperationName,
  writes: readonly DraftWrite[],
): void {
  requireAllowedNow(transaction, session.database, contextOf(session, operation), writes);
  changeQueue(transaction, session, (pending) => {
    for (const write of writes) pending.add(write);
  });
}

/** Ends a listen. Does nothing if it does not exist. */
const unlisten: Action = (session, transaction, body) => {
  const listen = findListen(session.listens, parsePath(requireString(body, 'p')), body);
  if (listen !== undefined) session.listens.remove(transaction, listen);
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

/** Shows the server the App Check token of the client, at first or instead of the earlier one. */
const presentAppCheck: Action = ({ appCheck }, _transaction, body) => {
  appCheck.present(requireString(body, 'token'));
  return '""';
};

const dropAppCheck: Action = ({ appCheck }) => {
  appCheck.drop();
  return '""';
};

/** Options of actions with which a client describes itself. */
const ABOUT_CLIENT = { kind: 'run', isForClient: true, isUnchecked: true } as const;

/** All actions of the protocol. Clients use two spellings of `unappcheck`. */
export const ACTIONS: ReadonlyMap<string, ActionEntry> = new Map<string, ActionEntry>([
  ['q', { kind: 'run', run: listen, isForClient: true }],
  ['l', { kind: 'run', run: listen, isForClient: true }],
  ['n', { kind: 'run', run: unlisten, isForClient: true }],
  ['g', { kind: 'run', run: readOnce, isForClient: true }],
  ['p', { kind: 'run', run: put, isForClient: false }],
  ['m', { kind: 'run', run: merge, isForClient: false }],
  ['o', { kind: 'run', run: setOnDisconnect, isForClient: false }],
  ['om', { kind: 'run', run: mergeOnDisconnect, isForClient: false }],
  ['oc', { kind: 'run', run: cancelOnDisconnect, isForClient: false }],
  ['auth', { kind: 'credential', parse: parseCredential }],
  ['gauth', { kind: 'credential', parse: parseCredential }],
  ['unauth', { kind: 'run', run: unauthenticate, isForClient: false, isUnchecked: true }],
  ['s', { ...ABOUT_CLIENT, run: recordClient }],
  ['appcheck', { ...ABOUT_CLIENT, run: presentAppCheck }],
  ['unappeck', { ...ABOUT_CLIENT, run: dropAppCheck }],
  ['unappcheck', { ...ABOUT_CLIENT, run: dropAppCheck }],
  ['echo', { ...ABOUT_CLIENT, run: echo }],
]);
