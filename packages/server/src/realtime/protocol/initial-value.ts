import type { Entry } from '@hearth/core/query/query.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import { setPush } from '@hearth/core/wire/server-messages.ts';
import { OutgoingMessage, type PendingText } from '../../storage/transaction/outgoing-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database, ValueRequest } from '../database/database.ts';
import { MAX_HASHED_AT_ONCE_BYTES } from '../database/hash-steps.ts';
import { type ReadValue, readValueText, startValue } from '../database/read.ts';
import { unlessTooBig } from '../database/snapshot-read.ts';
import type { ActionSession } from './action.ts';

/** The value with which a listen begins. */
interface InitialValue extends ReadValue {
  /** The hash of the value that the client already has; empty if the client has none. */
  readonly hash: string;
  /** Returns the hash of the value. Throws `read/too-big` if more than `maxBytes` would have to be hashed. */
  readonly hashOf: (maxBytes?: number) => string;
  /** Computes this hash in steps. `null` for a query: its value is sent again if it is too big to be hashed in one step. */
  readonly openHash: ValueRequest['openHash'];
  /** Returns the message for a JSON text. */
  readonly toPush: (json: string) => string;
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
    path,
    hash,
    toPush: (json) => setPush(formatPath(path), json),
    json: (maxBytes) => tree.nodeJson(path, 'export', maxBytes),
    openPieces: tree.selectionJson(path, { kind: 'node' }, 'export'),
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
    path,
    hash,
    toPush: (json) => setPush(formatPath(path), json, tag),
    json: (maxBytes) => tree.childrenJson(path, keys, maxBytes),
    openPieces: tree.childrenPieces(path, keys),
    hashOf: (maxBytes) => tree.childrenHash(path, keys, maxBytes),
    openHash: null,
  });
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
  const { hash, hashOf, toPush, openHash } = value;
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
  transaction.send(session, new OutgoingMessage(mapText(json, toPush)));
}

/** Applies `change` to a text, or to a pending text once it is generated. */
export function mapText(text: string | PendingText, change: (text: string) => string): string | PendingText {
  if (typeof text === 'string') return change(text);
  const changed = text.text.then((json) => (json === undefined ? undefined : change(json)));
  // The session handles the error when it sends the message, unless the transaction fails.
  changed.catch(() => undefined);
  return { text: changed, stop: () => text.stop() };
}
