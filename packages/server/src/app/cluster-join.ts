import type { StopReason } from '../cluster/follower.ts';
import { putLogIdentity } from '../cluster/node/position.ts';
import { mayLackRecords } from '../cluster/node/terms.ts';
import type { ReplicatedLog } from '../cluster/replicated-log.ts';
import { createLoadedDirectory, installLoaded, setAside } from '../cluster/snapshots/directories.ts';
import { loadNewest } from '../cluster/snapshots/load-newest.ts';
import type { SnapshotStorage } from '../cluster/snapshots/snapshot.ts';
import type { Timers } from '../cluster/timers.ts';
import type { Clock } from '../platform/clock.ts';
import { explainStoreFailure, StartFailure } from '../platform/failures.ts';
import type { Logger } from '../platform/logger.ts';
import type { KvStore } from '../storage/kv/store.ts';
import { openStore } from './app.ts';

export interface JoinOptions {
  readonly log: ReplicatedLog;
  readonly storage: SnapshotStorage;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Path of the data directory. */
  readonly directory: string;
  /** The store of the node. The node does not use it any more. */
  readonly store: KvStore;
  /** The identity of the log when the node was started. */
  readonly identity: string;
  /** Resolves with the identity of the log now; `undefined` if it is gone. Rejects if the servers do not answer. */
  readonly identify: () => Promise<string | undefined>;
  readonly signal: AbortSignal;
}

const RETRY_MS = 1_000;

/**
 * Replaces the store of a node that cannot read on by one that can, from a snapshot. The process must start again afterwards.
 * Keeps the store before if the loaded one may lack records of it. Rejects with a `StartFailure` if an operator has to act,
 * and with the reason of the abort if `signal` is aborted.
 */
export async function replaceStore(reason: StopReason, options: JoinOptions): Promise<void> {
  const { directory, logger, store, signal } = options;
  if (reason.kind !== 'trimmed' && reason.kind !== 'forked')
    throw new StartFailure(describeStop(reason, directory));
  await requireSameLog(options);
  logger.warn(
    { reason: reason.kind },
    'this node loads a snapshot, because it cannot read the log from its position',
  );
  try {
    const mayLack = await loadStore(reason, options);
    signal.throwIfAborted();
    store[Symbol.dispose]();
    if (mayLack) {
      const name = `set-aside-${new Date(options.clock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')}`;
      const path = setAside(directory, name);
      logger.error(
        { path },
        'the log may have lost messages that this node had read: its data before was set aside, and may contain acknowledged writes that the cluster lacks',
      );
    }
    await installLoaded(directory);
  } catch (cause) {
    signal.throwIfAborted();
    throw explainStoreFailure(cause, directory);
  }
}

/** Loads a snapshot into a directory of its own. Resolves with whether it may lack records of the store before. */
async function loadStore(reason: StopReason, options: JoinOptions): Promise<boolean> {
  let loaded: KvStore | undefined;
  const createStore = async (): Promise<KvStore> => {
    loaded?.[Symbol.dispose]();
    loaded = openStore(await createLoadedDirectory(options.directory));
    return loaded;
  };
  try {
    const store = await loadNewest({ ...options, createStore });
    store.transact((tx): void => putLogIdentity(tx, options.identity));
    return reason.kind === 'forked' || mayLackRecords(store, options.store);
  } finally {
    loaded?.[Symbol.dispose]();
  }
}

/** A log that was created again must not replace data without an operator. Waits until the servers answer. */
async function requireSameLog(options: JoinOptions): Promise<void> {
  const { identity, identify, directory, logger, signal, timers } = options;
  for (;;) {
    try {
      const now = await identify();
      if (now !== identity) throw new StartFailure(describeForeignLog(directory));
      return;
    } catch (cause) {
      if (cause instanceof StartFailure) throw cause;
      signal.throwIfAborted();
      logger.warn(
        { err: cause },
        'the servers of the log do not answer; the data of this node stays as it is',
      );
      await new Promise<void>((resolve) => timers.after(RETRY_MS, resolve));
      signal.throwIfAborted();
    }
  }
}

function describeForeignLog(path: string): string {
  return `The log of the cluster is not the one to which the data in ${path} belongs. If this node has moved to another cluster, choose a new directory with --data.`;
}

function describeStop(reason: StopReason, path: string): string {
  switch (reason.kind) {
    case 'unreadable':
      return `A newer version of Hearth has written to the cluster: message ${reason.slot} cannot be read, because ${reason.reason}. Start that version.`;
    case 'forked':
      return describeForeignLog(path);
    case 'trimmed':
      return `The log of the cluster begins with message ${reason.first}, and the data in ${path} ends before.`;
    case 'rewound':
      return `The log of the cluster ends with message ${reason.last}, and the data in ${path} goes up to message ${reason.validSlot}: NATS has lost messages. If only this node stops, choose a new directory with --data. If all nodes stop, keep their directories, and restore the stores of NATS.`;
    default:
      return reason satisfies never;
  }
}
