import { OutgoingMessage, type PendingText } from '../../storage/transaction/outgoing-message.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { ValueRequest } from '../database/database.ts';
import { MAX_HASHED_AT_ONCE_BYTES } from '../database/hash-steps.ts';
import { type ReadValue, readValueText, startValue } from '../database/read.ts';
import { unlessTooBig } from '../database/snapshot-read.ts';
import type { ActionSession } from './action.ts';

/** The value with which a listen begins. */
export interface InitialValue extends ReadValue {
  /** The hash of the value that the client has; empty if it has none. */
  readonly hash: string;
  /** Returns the hash of the value. Throws `read/too-big` if more than `maxBytes` would have to be hashed. */
  readonly hashOf: (maxBytes?: number) => string;
  /** Computes this hash in steps. `null` if it is not worth it: the value is then sent again. */
  readonly openHash: ValueRequest['openHash'];
  /** Returns the message for a JSON text. */
  readonly toPush: (json: string) => string;
}

/** Reads a value. A long one is generated in steps, in its state within the transaction. */
export function readValue(
  session: ActionSession,
  transaction: WriteTransaction,
  value: ReadValue,
): string | PendingText {
  const json = readValueText(transaction, session.database, session.messageMemory, value);
  if (typeof json !== 'string') session.expectPending(transaction);
  return json;
}

/** Sends a value to the client unless it has the value already. */
export function sendInitialValue(
  session: ActionSession,
  transaction: WriteTransaction,
  value: InitialValue,
): void {
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

/** Returns the text that `change` makes of a text, as soon as that is known. */
export function mapText(text: string | PendingText, change: (text: string) => string): string | PendingText {
  if (typeof text === 'string') return change(text);
  const changed = text.text.then((json) => (json === undefined ? undefined : change(json)));
  // The session handles the error when it sends the message, unless the transaction fails.
  changed.catch(() => undefined);
  return { text: changed, stop: () => text.stop() };
}
