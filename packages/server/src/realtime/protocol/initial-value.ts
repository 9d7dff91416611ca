import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Entry, Query } from '@hearth/core/query/query.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import { setPush } from '@hearth/core/wire/server-messages.ts';
import type { Seq } from '../../storage/log/commit.ts';
import {
  OutgoingMessage,
  type PendingText,
  type PushedData,
} from '../../storage/transaction/outgoing-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { ReceiverMemories, SharedText } from '../database/broadcast-messages.ts';
import {
  type Database,
  type PendingScan,
  PostponedRequest,
  type ValueRequest,
} from '../database/database.ts';
import { MAX_HASHED_AT_ONCE_BYTES } from '../database/hash-steps.ts';
import { type ReadValue, readOrPostpone, readValueText, startValue } from '../database/read.ts';
import { MAX_STEP_BYTES, MAX_STEP_MS, unlessTooBig } from '../database/snapshot-read.ts';
import type { Action, ActionSession } from './action.ts';
import type { ActiveListen, UncheckedListens } from './unchecked-listens.ts';

/** The value with which a listen begins. */
interface InitialValue extends ReadValue {
  /** The hash of the value that the client already has; empty if the client has none. */
  readonly hash: string;
  /** Returns the hash of the value. Throws `read/too-big` if more than `maxBytes` would have to be hashed. */
  readonly hashOf: (maxBytes?: number) => string;
  /** Computes this hash in steps. `null` for a query: its value is sent again if it is too big to be hashed in one step. */
  readonly openHash: ValueRequest['openHash'];
  readonly data: PushedData;
}

/** Returns the JSON text of a value as the transaction sees it. The server generates a long text in steps. */
export function readValue(
  session: ActionSession,
  transaction: WriteTransaction,
  value: ReadValue,
): string | PendingText {
  const json = readValueText(transaction, session.database, session.messageMemory, value);
  if (typeof json !== 'string') session.expectPending(transaction);
  return json;
}

/** Sends a node to the client, unless the client already has it. */
export function sendNode(
  session: ActionSession,
  transaction: WriteTransaction,
  path: Path,
  hash: string,
): void {
  const tree = session.database.tree(transaction);
  sendInitialValue(session, transaction, {
    ...nodeValue(session, transaction, path),
    hash,
    hashOf: (maxBytes) => tree.hash(path, maxBytes),
    openHash: tree.hashSteps(path),
  });
}

/** Sends the result of a query to the client, unless the client already has it. */
export function sendQuery(
  session: ActionSession,
  transaction: WriteTransaction,
  path: Path,
  hash: string,
  tag: number,
  entries: readonly Entry[],
): void {
  const tree = session.database.tree(transaction);
  const keys = entries.map((entry) => entry.key);
  sendInitialValue(session, transaction, {
    ...childrenValue(session, transaction, path, tag, keys),
    hash,
    hashOf: (maxBytes) => tree.childrenHash(path, keys, maxBytes),
    openHash: null,
  });
}

type PushedValue = ReadValue & Pick<InitialValue, 'data'>;

function nodeValue({ database }: ActionSession, transaction: WriteTransaction, path: Path): PushedValue {
  const tree = database.tree(transaction);
  return {
    path,
    data: { path, tag: null },
    json: (maxBytes) => tree.nodeJson(path, 'export', maxBytes),
    openPieces: tree.selectionJson(path, { kind: 'node' }, 'export'),
  };
}

function childrenValue(
  { database }: ActionSession,
  transaction: WriteTransaction,
  path: Path,
  tag: number,
  keys: readonly Key[],
): PushedValue {
  const tree = database.tree(transaction);
  return {
    path,
    data: { path, tag },
    json: (maxBytes) => tree.childrenJson(path, keys, maxBytes),
    openPieces: tree.childrenPieces(path, keys),
  };
}

/** A message that several sessions receive. */
interface SharedValue {
  readonly message: OutgoingMessage;
  /** Of a text that is still being generated. */
  readonly pending: { readonly text: SharedText; readonly memories: ReceiverMemories } | null;
}

/** The values of listens in one state of a database. */
interface SharedValues {
  readonly seq: Seq;
  /** By path, query and tag. */
  readonly values: Map<string, SharedValue>;
}

const SHARED = new WeakMap<WriteTransaction, Map<Database, SharedValues>>();

/** Returns the values that the transaction has sent in the present state of the database. */
function sharedValues(transaction: WriteTransaction, database: Database): SharedValues['values'] {
  let ofTransaction = SHARED.get(transaction);
  if (ofTransaction === undefined) {
    ofTransaction = new Map();
    SHARED.set(transaction, ofTransaction);
  }
  const seq = transaction.lastSeq(database.name);
  let shared = ofTransaction.get(database);
  if (shared?.seq !== seq) {
    shared = { seq, values: new Map() };
    ofTransaction.set(database, shared);
  }
  return shared.values;
}

/**
 * Sends the whole value of a listen, as the transaction sees it. Reads it once for all sessions that receive it in this
 * state. `readEntries` returns the children that its query selects. Throws `PostponedRequest` if the value has to wait.
 * Returns the length of the message, in UTF-16 code units; 0 if its text is still being generated.
 */
function sendWhole(
  session: ActionSession,
  transaction: WriteTransaction,
  listen: ActiveListen,
  readEntries: (query: Query) => readonly Entry[],
): number {
  const values = sharedValues(transaction, session.database);
  const isQuery = listen.kind === 'query';
  const { path } = listen;
  const name = isQuery
    ? `${formatPath(path)}\n${listen.subscription.tag}\n${listen.queryJson}`
    : formatPath(path);
  let shared = values.get(name);
  if (shared === undefined) {
    const value = isQuery
      ? childrenValue(
          session,
          transaction,
          path,
          listen.subscription.tag,
          readEntries(listen.query).map(({ key }) => key),
        )
      : nodeValue(session, transaction, path);
    shared = shareValue(session, transaction, value);
    values.set(name, shared);
  }
  if (shared.pending !== null) {
    shared.pending.text.addReceiver();
    shared.pending.memories.add(session.messageMemory);
    session.expectPending(transaction);
  }
  transaction.send(session, shared.message);
  return shared.message.text.length;
}

/**
 * Sends the values of listens of which changes were held back, until that has taken long enough, or the client has to
 * read first.
 */
export const sendHeldValues: Action = (session, transaction) => {
  const { unchecked } = session.listens;
  if (unchecked === null) return '';
  const { elapsedMs } = session.database;
  const endMs = elapsedMs() + MAX_STEP_MS;
  let units = 0;
  for (const listen of unchecked.held) {
    if (unchecked.check(transaction, listen)) units += sendHeldValue(session, transaction, listen, unchecked);
    if (elapsedMs() >= endMs || units >= MAX_STEP_BYTES || !session.canReceive) break;
  }
  unchecked.endStep(transaction);
  return '';
};

/** Returns the length of the message, in UTF-16 code units; 0 for a text that is still being generated. */
function sendHeldValue(
  session: ActionSession,
  transaction: WriteTransaction,
  listen: ActiveListen,
  { held }: UncheckedListens,
): number {
  const { path } = listen;
  const scan = held.findScan(listen);
  try {
    const units = sendWhole(session, transaction, listen, (query) => {
      const window = listen.kind === 'query' ? findWindow(session.database, path, listen.queryJson) : null;
      return window ?? readEntries(session, transaction, path, query, scan);
    });
    held.remove(transaction, listen);
    return units;
  } catch (error) {
    if (error instanceof PostponedRequest && error.scan !== undefined) held.keepScan(listen, error.scan);
    throw error;
  }
}

function shareValue(
  { database, messageMemory }: ActionSession,
  transaction: WriteTransaction,
  value: PushedValue,
): SharedValue {
  const memories = new ReceiverMemories();
  const json = unlessOverloaded(() =>
    readValueText(transaction, database, messageMemory, { ...value, otherMemory: () => memories.next() }),
  );
  const { data } = value;
  if (typeof json === 'string')
    return { message: new OutgoingMessage(pushOf(data, json), data), pending: null };
  const text = new SharedText(json, (complete) => pushOf(data, complete));
  return { message: new OutgoingMessage(text, data), pending: { text, memories } };
}

/** Time after which the server tries again to generate a value for which it had no snapshot, in ms. */
const RETRY_MS = 1_000;

/** Throws `PostponedRequest` instead of `request/overload`. */
function unlessOverloaded<T>(generate: () => T): T {
  try {
    return generate();
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'request/overload') throw error;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, RETRY_MS);
    throw new PostponedRequest({
      run: () => promise,
      stop: () => {
        clearTimeout(timer);
        resolve();
      },
    });
  }
}

function pushOf({ path, tag }: PushedData, json: string): string {
  return setPush(formatPath(path), json, tag ?? undefined);
}

/** `scan` is the scan that the request has waited for. */
export function readEntries(
  { database, listens }: ActionSession,
  transaction: WriteTransaction,
  path: Path,
  query: Query,
  scan: PendingScan | undefined,
): readonly Entry[] {
  return readOrPostpone(transaction, database, path, query, { scan, memory: listens.memory });
}

/** Returns the current window of a query that has listens; `undefined` or `null` if it has to be read. */
export function findWindow(
  { listens, stepwise }: Database,
  path: Path,
  text: string,
): readonly Entry[] | null | undefined {
  const shared = listens.findQuery(path, text);
  return shared === undefined || stepwise?.isOutdated(shared) ? undefined : shared.window;
}

/** Sends a value to the client, unless the client already has it. */
function sendInitialValue(session: ActionSession, transaction: WriteTransaction, value: InitialValue): void {
  const { hash, hashOf, data, openHash } = value;
  const { stepwise } = session.database;
  const maxHashedBytes = stepwise === null ? undefined : MAX_HASHED_AT_ONCE_BYTES;
  const known = hash === '' ? '' : unlessTooBig(() => hashOf(maxHashedBytes));
  if (hash !== '' && known === hash) return;
  const json =
    known === undefined && openHash !== null && stepwise !== null
      ? startValue(transaction, session.database, session.messageMemory, {
          ...value,
          openHash,
          expectedHash: hash,
        })
      : readValueText(transaction, session.database, session.messageMemory, value);
  if (typeof json !== 'string') session.expectPending(transaction);
  const text = mapText(json, (complete) => pushOf(data, complete));
  transaction.send(session, new OutgoingMessage(text, data));
}

/** Applies `change` to a text, or to a pending text once it is generated. */
export function mapText(text: string | PendingText, change: (text: string) => string): string | PendingText {
  if (typeof text === 'string') return change(text);
  const changed = text.text.then((json) => (json === undefined ? undefined : change(json)));
  // The session handles the error when it sends the message, unless the transaction fails.
  changed.catch(() => undefined);
  return { text: changed, stop: () => text.stop() };
}
