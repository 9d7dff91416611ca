import type { StopReason } from '../cluster/follower.ts';
import { putLogIdentity } from '../cluster/node/position.ts';
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
  readonly store: Disposable;
  /** The identity of the log when the node was started. */
  readonly identity: string;
  /** Resolves with the identity of the log now. */
  readonly identify: () => Promise<string>;
  readonly signal: AbortSignal;
}

/**
 * Replaces the store of a node that cannot read on by one that can, from a snapshot. The process must start again afterwards.
 * Rejects with a `StartFailure` if an operator has to act, and with the reason of the abort if `signal` is aborted.
 */
export async function replaceStore(reason: StopReason, options: JoinOptions): Promise<void> {
  const { directory, logger, store, signal } = options;
  if (reason.kind !== 'trimmed' && reason.kind !== 'forked')
    throw new StartFailure(describeStop(reason, directory));
  if (reason.kind === 'forked') await requireSameLog(reason, options);
  logger.warn(
    { reason: reason.kind },
    'this node loads a snapshot, because it cannot read the log from its position',
  );
  try {
    await loadStore(options);
    signal.throwIfAborted();
    store[Symbol.dispose]();
    if (reason.kind === 'forked') {
      const name = `set-aside-${new Date(options.clock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')}`;
      const path = setAside(directory, name);
      logger.error(
        { path },
        'the log has lost messages that this node had read: its data before was set aside, and may contain acknowledged writes that the cluster lacks',
      );
    }
    installLoaded(directory);
  } catch (cause) {
    signal.throwIfAborted();
    throw explainStoreFailure(cause, directory);
  }
}

/** Loads a snapshot into a directory of its own. */
async function loadStore(options: JoinOptions): Promise<void> {
  let loaded: KvStore | undefined;
  const createStore = (): KvStore => {
    loaded?.[Symbol.dispose]();
    loaded = openStore(createLoadedDirectory(options.directory));
    return loaded;
  };
  try {
    await loadNewest({ ...options, createStore });
    loaded?.transact((tx): void => putLogIdentity(tx, options.identity));
  } finally {
    loaded?.[Symbol.dispose]();
  }
}

/** A log that was created again must not replace data without an operator. */
async function requireSameLog(
  reason: StopReason,
  { identity, identify, directory }: JoinOptions,
): Promise<void> {
  const now = await identify().catch(() => identity);
  if (now !== identity) throw new StartFailure(describeStop(reason, directory));
}

function describeStop(reason: StopReason, path: string): string {
  switch (reason.kind) {
    case 'unreadable':
      return `A newer version of Hearth has written to the cluster: message ${reason.slot} cannot be read, because ${reason.reason}. Start that version.`;
    case 'forked':
      return `The log of the cluster is not the one to which the data in ${path} belongs. If this node has moved to another cluster, choose a new directory with --data.`;
    case 'trimmed':
      return `The log of the cluster begins with message ${reason.first}, and the data in ${path} ends before.`;
    case 'rewound':
      return `The log of the cluster ends with message ${reason.last}, and the data in ${path} goes up to message ${reason.validSlot}: NATS has lost messages. If only this node stops, choose a new directory with --data. If all nodes stop, keep their directories, and restore the stores of NATS.`;
    default:
      return reason satisfies never;
  }
}
