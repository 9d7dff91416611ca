import type { Logger } from '../../platform/logger.ts';
import type { KvStore } from '../../storage/kv/store.ts';
import type { LogExtent, ReplicatedLog, Slot } from '../replicated-log.ts';
import type { Timers } from '../timers.ts';
import {
  continues,
  isBase,
  isSnapshotOf,
  readExtent,
  readLog,
  type Snapshot,
  type SnapshotStorage,
  type StoredSnapshots,
  snapshotId,
} from './snapshot.ts';
import { writeSnapshot } from './write-snapshot.ts';

/** A copy of the store of a node, which does not change and contains only what is committed. */
export interface StoreCopy extends AsyncDisposable {
  readonly store: KvStore;
}

export interface SnapshotKeeperOptions {
  readonly log: ReplicatedLog;
  readonly storage: SnapshotStorage;
  /** The identity of the log. */
  readonly identity: string;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Number of messages that the log keeps, at least. */
  readonly keptMessages: number;
  /** Returns 16 hexadecimal digits that no other snapshot has. */
  readonly createId: () => string;
  /** Returns whether the other nodes expect this one to store snapshots. */
  readonly isResponsible: () => boolean;
  /** Returns the lowest slot up to which a node has read that was heard in the last hour. */
  readonly lowestHead: () => Slot;
  readonly copyStore: (signal: AbortSignal) => Promise<StoreCopy>;
}

const CHECK_MS = 10_000;

/** How long after a failure other nodes store the snapshots instead. */
const FAILING_MS = 300_000;

/** Time without a further piece after which an unfinished snapshot is removed. */
const ABANDONED_MS = 60_000;

/** How long a node that ends waits for the servers. */
const CLOSING_MS = 2_000;

/** Maximum number of snapshots. A node may still be reading the oldest one. */
const MAX_SNAPSHOTS = 3;

/** Bytes of the log after the last snapshot above which the next one is due. */
const MAX_BYTES_BETWEEN = 256 * 2 ** 20;

/** Bytes of messages that the log keeps. Longer messages are therefore fewer. */
const MAX_KEPT_BYTES = 256 * 2 ** 20;

/** Messages before the head of a node that it may read again. */
const READ_AGAIN_MESSAGES = 64;

/** Removing fewer messages is not worth a request, as a share of the messages that are kept. */
const MIN_TRIMMED_SHARE = 0.1;

/**
 * Stores snapshots next to the log, and removes the messages that they make unnecessary. One node does so, usually the
 * first one that follows; two at the same time do no harm.
 *
 * The log keeps everything after the second newest snapshot, everything that a node of the last hour has not read, and at
 * least `keptMessages`.
 */
export class SnapshotKeeper {
  readonly #options: SnapshotKeeperOptions;
  readonly #closing = new AbortController();
  #cancelCheck: () => void = () => undefined;
  /** Unfinished snapshots, with the numbers of their pieces, and since when these have not changed. */
  #unfinished: ReadonlyMap<string, { readonly pieces: number; readonly sinceMs: number }> = new Map();
  /** The end of the last check. */
  #checked: Promise<void> = Promise.resolve();
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: SnapshotKeeperOptions) {
    this.#options = options;
    this.#scheduleCheck();
  }

  /** Whether this node has recently failed to store a snapshot, for example because its disk has too little space. */
  get isFailing(): boolean {
    return this.#options.timers.elapsedMs() - this.#failedAtMs < FAILING_MS;
  }

  /** Resolves when no copy of the store is in use, or soon if the servers do not answer. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#cancelCheck();
    await new Promise<void>((resolve) => {
      const cancel = this.#options.timers.after(CLOSING_MS, resolve);
      void this.#checked.then(() => {
        cancel();
        resolve();
      });
    });
  }

  #scheduleCheck(): void {
    this.#cancelCheck = this.#options.timers.after(CHECK_MS, () => {
      this.#checked = this.#check()
        .catch((error: unknown) => this.#report(error))
        .then(() => {
          if (!this.#closing.signal.aborted) this.#scheduleCheck();
        });
    });
  }

  #report(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#failedAtMs = this.#options.timers.elapsedMs();
    this.#options.logger.warn(
      { err: error },
      'this node could not store a snapshot, or not trim the log; another one tries, if there is one',
    );
  }

  async #check(): Promise<void> {
    const { log, isResponsible } = this.#options;
    if (!isResponsible()) return;
    const { complete, unfinished } = await this.#listOwn();
    const extent = await readExtent(log);
    if (extent === undefined) return;
    await this.#removeAbandoned(unfinished);
    const { usable, useless } = await this.#sort(complete);
    const { storage } = this.#options;
    for (const { id } of useless) await storage.remove(id);
    const isDue = usable[0] === undefined ? await this.#lacksStart(extent) : false;
    if (isDue || this.#isDue(usable[0], extent)) {
      const taken = await this.#take(usable[0]);
      if (taken !== undefined) usable.unshift(taken);
    }
    for (const { id } of usable.slice(MAX_SNAPSHOTS)) await storage.remove(id);
    await this.#trim(usable[1], extent);
    this.#failedAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Lists the snapshots of this log. Those of another one, which may be lost, are for an operator to remove. */
  async #listOwn(): Promise<StoredSnapshots> {
    const { storage, identity } = this.#options;
    const { complete, unfinished } = await storage.list();
    const isOwn = (id: string): boolean => isSnapshotOf(id, identity);
    return {
      complete: complete.filter(({ id }) => isOwn(id)),
      unfinished: new Map([...unfinished].filter(([id]) => isOwn(id))),
    };
  }

  /** Returns the snapshots from which the log goes on, and those from which it never will. */
  async #sort(
    snapshots: readonly Snapshot[],
  ): Promise<{ readonly usable: Snapshot[]; readonly useless: readonly Snapshot[] }> {
    const usable: Snapshot[] = [];
    const useless: Snapshot[] = [];
    for (const snapshot of snapshots) {
      const isUsable = await continues(this.#options.log, snapshot.position);
      if (isUsable === true) usable.push(snapshot);
      else if (isUsable === false) useless.push(snapshot);
    }
    return { usable, useless };
  }

  /** Removes snapshots without a description to which no piece was added for a time. */
  async #removeAbandoned(unfinished: ReadonlyMap<string, number>): Promise<void> {
    const { storage, timers } = this.#options;
    const nowMs = timers.elapsedMs();
    const before = this.#unfinished;
    this.#unfinished = new Map(
      Array.from(unfinished, ([id, pieces]) => {
        const known = before.get(id);
        return [id, known?.pieces === pieces ? known : { pieces, sinceMs: nowMs }];
      }),
    );
    for (const [id, { sinceMs }] of this.#unfinished)
      if (nowMs - sinceMs >= ABANDONED_MS) await storage.remove(id);
  }

  /** Returns whether a new node could not read the log, because it does not contain everything from the start. */
  async #lacksStart({ first, last }: LogExtent): Promise<boolean> {
    if (last < first) return false;
    if (first > 1) return true;
    const [message] = await readLog(this.#options.log, 1, 1);
    return message !== undefined && isBase(message.message);
  }

  #isDue(newest: Snapshot | undefined, { first, last, bytes }: LogExtent): boolean {
    const messages = last - (newest?.position.slot ?? 0);
    // Messages have about the same length.
    const bytesSince = (bytes / Math.max(1, last - first + 1)) * messages;
    const isMuch = bytesSince >= Math.min(MAX_BYTES_BETWEEN, newest?.bytes ?? 0);
    return bytesSince >= MAX_BYTES_BETWEEN || (messages >= this.#options.keptMessages && isMuch);
  }

  /** Resolves with the snapshot; with `undefined` if it would not be newer than the newest one. */
  async #take(newest: Snapshot | undefined): Promise<Snapshot | undefined> {
    const { copyStore, createId, storage, logger, identity } = this.#options;
    const { signal } = this.#closing;
    await using copy = await copyStore(signal);
    const snapshot = await writeSnapshot(copy.store, storage, snapshotId(identity, createId()), signal);
    const { slot } = snapshot.position;
    if (slot <= (newest?.position.slot ?? 0)) {
      await storage.remove(snapshot.id);
      return undefined;
    }
    logger.info({ slot, bytes: snapshot.bytes }, 'a snapshot was stored');
    return snapshot;
  }

  async #trim(covered: Snapshot | undefined, { first, last, bytes }: LogExtent): Promise<void> {
    if (covered === undefined) return;
    const { keptMessages, lowestHead, log, logger } = this.#options;
    const averageBytes = bytes / Math.max(1, last - first + 1);
    const kept = Math.ceil(Math.min(keptMessages, MAX_KEPT_BYTES / Math.max(1, averageBytes)));
    const bounds = [covered.position.validSlot, lowestHead() - READ_AGAIN_MESSAGES, last - kept];
    const newFirst = Math.min(...bounds);
    if (newFirst - first < kept * MIN_TRIMMED_SHARE) return;
    const isDone = await new Promise<boolean>((resolve) => log.trim(newFirst, resolve));
    if (isDone) logger.info({ first: newFirst, last }, 'the log was trimmed');
  }
}
