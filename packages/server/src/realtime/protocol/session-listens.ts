import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Entry, Query } from '@hearth/core/query/query.ts';
import { formatPath, type Path, pathOf } from '@hearth/core/tree/path.ts';
import { listenRevokedPush } from '@hearth/core/wire/server-messages.ts';
import { BYTES_PER_UNIT } from '../../platform/admission.ts';
import { type ByteHolder, HeldBytes } from '../../platform/held-bytes.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import { OutgoingMessage, type PushedData } from '../../storage/transaction/outgoing-message.ts';
import type { Receiver, WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { Database, ScanMemory } from '../database/database.ts';
import {
  ENTRY_BYTES,
  type ListenRegistry,
  type QueryListen,
  type QuerySubscription,
  type WindowPayer,
} from '../database/listens.ts';
import { type ReadCheck, ReadChecks, type Reader } from '../database/read-checks.ts';
import {
  type ActiveListen,
  type CheckedListens,
  type ListenChecker,
  UncheckedListens,
} from './unchecked-listens.ts';

/** Maximum number of listens of one session, so that one client cannot slow down the writes of all others. */
const MAX_LISTENS = 50_000;

/**
 * Maximum total length of the paths and queries that one session listens to, in UTF-16 code units: they stay in
 * memory.
 */
const MAX_UNITS = 32 * 2 ** 20;

/** Estimated memory of a listen, without its text, in bytes: measured with listens of 1 to 32 levels. */
const LISTEN_BYTES = 480;

/** Estimated memory of each level of a listen's path, in bytes. */
const LEVEL_BYTES = 120;

/** Estimated memory of a query, in bytes. */
const QUERY_BYTES = 430;

/** Memory of a session's listens that no pool counts, in bytes. */
const FREE_BYTES = 4_096;

/** Number of listens of an ended session that are removed without a pause. */
const MAX_REMOVED_AT_ONCE = 500;

/** The listens of one session: at most one default listen per path, and one query per tag. */
export class SessionListens implements CheckedListens, WindowPayer {
  readonly #registry: ListenRegistry;
  readonly #receiver: Receiver;
  /** The pool and the holder that the memory of the session's scans is charged to. */
  readonly memory: ScanMemory;
  readonly #held: HeldBytes;
  /** Default listens by the text of their path, and queries by their tag. */
  readonly #listens = new Map<string | number, ActiveListen>();
  #units = 0;
  /** Estimated memory of the listens, in bytes. */
  #bytes = 0;
  #isCleared = false;
  #checks: ReadChecks | undefined;
  #unchecked: UncheckedListens | null = null;

  /** `pool` is the memory of all listens together, in bytes; `holder` is the session, which holds a part of it. */
  constructor(registry: ListenRegistry, receiver: Receiver, holder: ByteHolder, pool: ResourcePool) {
    this.#registry = registry;
    this.#receiver = receiver;
    this.memory = { pool, holder };
    this.#held = new HeldBytes(pool, holder, FREE_BYTES);
  }

  get count(): number {
    return this.#listens.size;
  }

  all(): readonly ActiveListen[] {
    return [...this.#listens.values()];
  }

  /**
   * Throws `request/overload` if a further listen would exceed a limit. `tag` is the tag of a query, and `entries` the
   * length of its window.
   */
  requireCapacity(path: Path, queryJson = '', tag?: number, entries = 0): void {
    const replaced = tag === undefined ? this.findDefault(path) : this.findQuery(tag);
    const count = this.count - (replaced === undefined ? 0 : 1);
    const units = this.#units - (replaced === undefined ? 0 : unitsOf(replaced));
    if (count >= MAX_LISTENS || units + formatPath(path).length + queryJson.length > MAX_UNITS)
      throw new RequestError(
        'request/overload',
        'The connection has too many listens, or their queries are too long. Stop some of its listens.',
      );
    const bytes = this.#bytes - (replaced === undefined ? 0 : listenBytes(replaced));
    if (!this.#held.hold(bytes + bytesOf(path, queryJson) + entries * ENTRY_BYTES))
      throw new RequestError(
        'request/overload',
        'Clients of your network listen to too much. Stop some listens, or limit their queries further.',
      );
  }

  pay(moreEntries: number): void {
    if (!this.#isCleared) this.#setBytes(this.#bytes + moreEntries * ENTRY_BYTES);
  }

  addDefault(transaction: WriteTransaction, path: Path): void {
    this.#add(transaction, { kind: 'default', path }, null);
  }

  /** `window` holds the current entries of a limited query; `null` for a query without a limit. */
  addQuery(
    transaction: WriteTransaction,
    path: Path,
    query: Query,
    queryJson: string,
    tag: number,
    window: readonly Entry[] | null,
  ): void {
    const subscription: QuerySubscription = { receiver: this.#receiver, tag, payer: this };
    this.#add(transaction, { kind: 'query', path, query, queryJson, subscription }, window);
  }

  /** Returns whether the client still listens to pushed data. */
  has({ path, tag }: PushedData): boolean {
    if (tag !== null) return this.findQuery(tag) !== undefined;
    // A listen brings the data of its node and of all nodes below.
    for (let depth = path.length; depth >= 0; depth--)
      if (this.findDefault(pathOf(path.slice(0, depth))) !== undefined) return true;
    return false;
  }

  findDefault(path: Path): ActiveListen | undefined {
    return this.#listens.get(formatPath(path));
  }

  findQuery(tag: number): ActiveListen | undefined {
    return this.#listens.get(tag);
  }

  findQueryAt(path: Path, queryJson: string): ActiveListen | undefined {
    const subscriptions = this.#registry.findQuery(path, queryJson)?.subscriptions ?? [];
    for (const { receiver, tag } of subscriptions)
      if (receiver === this.#receiver) return this.findQuery(tag);
    return undefined;
  }

  /** Authorizes all listens again, many of them after the transaction. */
  recheck(transaction: WriteTransaction, reader: Reader, { stepwise, elapsedMs }: Database): void {
    this.#checks ??= new ReadChecks(elapsedMs);
    this.#checks.start(transaction, stepwise?.runInTransaction ?? null, [reader]);
  }

  get unchecked(): UncheckedListens | null {
    return this.#unchecked;
  }

  /** Begins to authorize all listens again. Values are held back until then. */
  beginChecks(transaction: WriteTransaction, checker: ListenChecker): void {
    if (this.count > 0)
      this.setUnchecked(transaction, new UncheckedListens(this, checker, this.#unchecked?.held));
  }

  /**
   * Returns checks that remove each listen that the rules deny to the principal of that time, and notify the client. The
   * last check ends the work.
   */
  *readChecks(): Generator<ReadCheck> {
    const begun = this.#unchecked;
    if (begun === null) return;
    for (const listen of this.all())
      yield (transaction) => {
        // Later checks may have begun, or ended.
        if (this.#find(listen) === listen) this.#unchecked?.check(transaction, listen);
      };
    yield (transaction) => begun.endChecks(transaction);
  }

  setUnchecked(transaction: WriteTransaction, unchecked: UncheckedListens | null): void {
    const before = this.#unchecked;
    this.#unchecked = unchecked;
    this.#recordUnchecked();
    transaction.onRollback(() => {
      this.#unchecked = before;
      this.#recordUnchecked();
    });
  }

  #recordUnchecked(): void {
    if (this.#unchecked === null || this.#isCleared) this.#registry.unchecked.delete(this);
    else this.#registry.unchecked.add(this);
  }

  revoke(transaction: WriteTransaction, listen: ActiveListen): void {
    this.remove(transaction, listen);
    transaction.send(this.#receiver, new OutgoingMessage(revocation(listen)));
  }

  /** Returns the listen that takes the place of another. */
  #find(listen: ActiveListen): ActiveListen | undefined {
    return listen.kind === 'default'
      ? this.findDefault(listen.path)
      : this.findQuery(listen.subscription.tag);
  }

  remove(transaction: WriteTransaction, listen: ActiveListen): void {
    this.#unchecked?.release(transaction, listen);
    const query = this.#drop(listen);
    transaction.onRollback(() => this.#restore(listen, query));
  }

  /**
   * Removes all listens of a session that has ended. Removes many in steps, after the transaction. The removal is not
   * reverted if the transaction fails.
   */
  clear(): void {
    const listens = this.all();
    this.#isCleared = true;
    this.#recordUnchecked();
    this.#listens.clear();
    this.#units = 0;
    this.#unregisterFrom(listens, 0);
  }

  #unregisterFrom(listens: readonly ActiveListen[], start: number): void {
    const end = start + MAX_REMOVED_AT_ONCE;
    for (const listen of listens.slice(start, end)) this.#unregister(listen);
    if (end < listens.length) setImmediate(() => this.#unregisterFrom(listens, end));
    else this.#setBytes(0);
  }

  #add(transaction: WriteTransaction, listen: ActiveListen, window: readonly Entry[] | null): void {
    const before = this.#find(listen);
    if (before !== undefined) this.remove(transaction, before);
    this.#put(listen, window);
    transaction.onRollback(() => this.#drop(listen));
  }

  #put(listen: ActiveListen, window: readonly Entry[] | null): void {
    this.#count(listen, 1);
    if (listen.kind === 'default') {
      this.#listens.set(formatPath(listen.path), listen);
      this.#registry.addDefault(listen.path, this.#receiver);
    } else {
      this.#listens.set(listen.subscription.tag, listen);
      this.#registry.addQuery(listen.path, listen.queryJson, listen.query, window, listen.subscription);
    }
  }

  /** Removes a listen. Returns its registered query, with which the listen can be restored. */
  #drop(listen: ActiveListen): QueryListen | undefined {
    this.#count(listen, -1);
    this.#listens.delete(listen.kind === 'default' ? formatPath(listen.path) : listen.subscription.tag);
    return this.#unregister(listen);
  }

  #unregister(listen: ActiveListen): QueryListen | undefined {
    if (listen.kind === 'default') {
      this.#registry.removeDefault(listen.path, this.#receiver);
      return undefined;
    }
    return this.#registry.removeQuery(listen.path, listen.queryJson, listen.subscription);
  }

  #restore(listen: ActiveListen, query: QueryListen | undefined): void {
    if (listen.kind === 'default' || query === undefined) {
      this.#put(listen, null);
      return;
    }
    this.#count(listen, 1);
    this.#listens.set(listen.subscription.tag, listen);
    this.#registry.restoreQuery(query, listen.subscription);
  }

  #count(listen: ActiveListen, sign: 1 | -1): void {
    this.#units += sign * unitsOf(listen);
    this.#setBytes(this.#bytes + sign * listenBytes(listen));
  }

  #setBytes(bytes: number): void {
    this.#bytes = bytes;
    if (!this.#held.hold(bytes)) this.memory.holder.evict();
  }
}

/** Returns the estimated memory of a listen, without the window of its query, in bytes. */
function bytesOf(path: Path, queryJson: string): number {
  const textBytes = BYTES_PER_UNIT * (formatPath(path).length + queryJson.length);
  return LISTEN_BYTES + LEVEL_BYTES * path.length + (queryJson === '' ? 0 : QUERY_BYTES) + textBytes;
}

function listenBytes(listen: ActiveListen): number {
  return bytesOf(listen.path, listen.kind === 'query' ? listen.queryJson : '');
}

function unitsOf(listen: ActiveListen): number {
  return formatPath(listen.path).length + (listen.kind === 'query' ? listen.queryJson.length : 0);
}

function revocation(listen: ActiveListen): string {
  const path = formatPath(listen.path);
  return listen.kind === 'query' ? listenRevokedPush(path, listen.queryJson) : listenRevokedPush(path);
}
