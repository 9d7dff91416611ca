import type { KvRead, KvStore, KvWrite } from '../../storage/kv/store.ts';
import { type ChainPosition, FIRST_POSITION } from '../chain.ts';
import type { ChainHash } from '../message.ts';

/**
 * Keys of the table `meta` for data that a node stores for itself and never sends: its position in the log, as JSON with
 * the hash in hex; the identity of that log; the name that its data has as the base of a
 * cluster; and for each uncommitted batch, the values that its keys had before the batch.
 */
const POSITION_KEY = Buffer.from('cluster/position');
const BASE_KEY = Buffer.from('cluster/base');
const LOG_KEY = Buffer.from('cluster/log');
const UNDO_PREFIX = 'cluster/undo/';

/** Digits of the number of a batch, so that the keys of batches have the order of their numbers. */
const BATCH_DIGITS = 16;

/** The range of all keys that a node does not have in common with others. */
export const OWN_KEYS = { lower: Buffer.from('cluster/'), upper: Buffer.from('cluster0') };

/** The range of the keys of undo entries. */
export const UNDO_KEYS = { lower: Buffer.from(UNDO_PREFIX), upper: Buffer.from('cluster/undo0') };

export function undoKey(batch: number): Buffer {
  return Buffer.from(`${UNDO_PREFIX}${String(batch).padStart(BATCH_DIGITS, '0')}`);
}

/** Returns a position as it is stored: JSON with the hash in hexadecimal. */
export function encodePosition({ hash, ...position }: ChainPosition): string {
  return JSON.stringify({ ...position, hash: Buffer.from(hash, 'latin1').toString('hex') });
}

/** Reverses `encodePosition`. */
export function decodePosition(text: string): ChainPosition {
  const { hash, ...position } = JSON.parse(text) as ChainPosition;
  return { ...position, hash: Buffer.from(hash, 'hex').toString('latin1') as ChainHash };
}

/** Returns the position that is stored; `undefined` if the store never belonged to a cluster. */
export function findPosition(tx: KvRead): ChainPosition | undefined {
  const stored = tx.find('meta', POSITION_KEY);
  return stored === undefined ? undefined : decodePosition(stored.toString());
}

export function putPosition(tx: KvWrite, position: ChainPosition): void {
  tx.put('meta', POSITION_KEY, Buffer.from(encodePosition(position)));
}

/** Returns the identity of the log to which a store belongs; `undefined` if it does not belong to one yet. */
export function findLogIdentity(tx: KvRead): string | undefined {
  return tx.find('meta', LOG_KEY)?.toString();
}

export function putLogIdentity(tx: KvWrite, identity: string): void {
  tx.put('meta', LOG_KEY, Buffer.from(identity));
}

/** Returns the name that a store has as the base of a cluster; `undefined` if it has none. */
export function findBaseName(tx: KvRead): string | undefined {
  return tx.find('meta', BASE_KEY)?.toString();
}

export function putBaseName(tx: KvWrite, name: string): void {
  tx.put('meta', BASE_KEY, Buffer.from(name));
}

/** Makes a store without contents part of a cluster. */
export function putFirstPosition(tx: KvWrite): void {
  putPosition(tx, FIRST_POSITION);
}

/** Removes everything that a node stores for itself. */
export function removeOwnKeys(tx: KvWrite): void {
  for (const { key } of [...tx.scan('meta', OWN_KEYS)]) tx.remove('meta', key);
}

/** Returns whether a store belongs to a node of a cluster. */
export function belongsToCluster(store: KvStore): boolean {
  return store.read((tx) => findPosition(tx) !== undefined);
}
