import type { ReplicatedLog } from '../replicated-log.ts';
import { isSnapshotOf, readExtent, type SnapshotStorage } from './snapshot.ts';

/**
 * Returns a sentence if a node that has read nothing must not use a log, because the log has lost messages of which there are
 * snapshots: it would begin a new history, and the snapshots may be all that is left of the other one. `identity` is that of
 * the log. Rejects if the servers do not answer.
 */
export async function checkBeginning(
  log: ReplicatedLog,
  storage: SnapshotStorage,
  identity: string,
): Promise<string | undefined> {
  // First, because the log grows in the meantime.
  const { complete } = await storage.list();
  if (complete.length === 0) return undefined;
  const extent = await readExtent(log);
  if (extent === undefined) throw new Error('The log of the cluster does not answer.');
  const { last } = extent;
  const isAhead = complete.some(
    ({ id, position }) => isSnapshotOf(id, identity) && position.validSlot > last,
  );
  return last === 0 || isAhead
    ? `NATS has snapshots of messages that the log of the cluster does not have: it ends with message ${last}. Restore the stores of NATS. To begin a new cluster without that data, choose another name with --cluster-name.`
    : undefined;
}
