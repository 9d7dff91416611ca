import { encodeBase } from '../cluster/body.ts';
import { FIRST_POSITION } from '../cluster/chain.ts';
import { type ChainedMessage, encodeRecord } from '../cluster/message.ts';
import { SHARD } from '../cluster/node/node.ts';
import {
  belongsToCluster,
  findBaseName,
  putBaseName,
  putLogIdentity,
  putPosition,
} from '../cluster/node/position.ts';
import { holdsOtherData } from '../cluster/node/replicated-store.ts';
import type { AppendOutcome, ReplicatedLog } from '../cluster/replicated-log.ts';
import { readLog } from '../cluster/snapshots/snapshot.ts';
import { findDataDirectory, openDataDirectory } from '../platform/data-directory.ts';
import { StartFailure } from '../platform/failures.ts';
import { randomBytes } from '../platform/random.ts';
import type { KvStore } from '../storage/kv/store.ts';
import { openStore } from './app.ts';
import {
  type ClusterConnection,
  connectToServers,
  explainServers,
  requireBeginning,
} from './cluster-servers.ts';

const NAME_BYTES = 16;
const BASE_SLOT = 1;
const BASE_EPOCH = 1;
const READ_ATTEMPTS = 20;
const READ_PAUSE_MS = 250;

/**
 * Makes the data of a server without a cluster the data of a new cluster. The directory becomes that of a node. Returns its
 * absolute path. If this is interrupted, it can be repeated. Rejects with a `StartFailure`.
 *
 * The first message of the log is a base: a node can read on only from a snapshot, which the first node stores. The base has
 * a name, which is stored first. So a repeated call finds out whether the base is its own.
 */
export async function initializeCluster(name: string, connection: ClusterConnection): Promise<string> {
  using directory = openDataDirectory(findDataDirectory(name));
  using store = openStore(directory.path);
  if (belongsToCluster(store))
    throw new StartFailure(
      `The directory ${directory.path} already belongs to a node of a cluster. Start it with "hearth serve --cluster".`,
    );
  if (!holdsOtherData(store))
    throw new StartFailure(
      `The directory ${directory.path} contains no data. Start nodes with empty directories, without this command.`,
    );
  await using jetStream = await connectToServers(connection);
  const log = await explainServers(() => jetStream.openShard(SHARD));
  await requireBeginning(log, await explainServers(() => jetStream.openSnapshots(SHARD)));
  const base = createBase(nameBase(store));
  await new Promise<AppendOutcome>((resolve) => log.append(BASE_SLOT - 1, base.bytes, resolve));
  await requireBase(log, base, connection.clusterName);
  store.transact((tx): void => {
    putPosition(tx, { slot: BASE_SLOT, validSlot: BASE_SLOT, hash: base.hash, epoch: BASE_EPOCH });
    putLogIdentity(tx, log.identity);
  });
  return directory.path;
}

/** Returns the name that this data has as a base, on disk before it is used. */
function nameBase(store: KvStore): string {
  const known = store.read(findBaseName);
  if (known !== undefined) return known;
  const name = Buffer.from(randomBytes(NAME_BYTES)).toString('hex');
  store.transact((tx): void => putBaseName(tx, name));
  return name;
}

function createBase(name: string): ChainedMessage {
  const [message] = encodeRecord(BASE_EPOCH, FIRST_POSITION.hash, encodeBase(name));
  if (message === undefined) throw new Error('Bug: a base without a message');
  return message;
}

/** Rejects unless the log begins with the base. The outcome of the append may be unknown, or of an earlier call. */
async function requireBase(log: ReplicatedLog, base: ChainedMessage, cluster: string): Promise<void> {
  for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt++) {
    const [first] = await readLog(log, BASE_SLOT, 1);
    if (first?.slot === BASE_SLOT && first.message.equals(base.bytes)) return;
    if (first !== undefined)
      throw new StartFailure(
        `The cluster "${cluster}" already contains other data. Choose another name with --cluster-name, or move this data into the cluster with exports.`,
      );
    await new Promise((resolve) => setTimeout(resolve, READ_PAUSE_MS));
  }
  throw new StartFailure(
    `The log of the cluster "${cluster}" does not answer. Repeat the command when the NATS servers have a leader.`,
  );
}
