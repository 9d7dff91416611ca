import { AuditLog } from '../audit/log.ts';
import { projectOfAuditRecords } from '../audit/store.ts';
import { isOwnedDatabase } from '../auth/projects/database-owners.ts';
import { Changes } from '../realtime/changes/changes.ts';
import { ChangeUpkeep } from '../realtime/changes/upkeep.ts';
import { DatabaseCatalog, findRecords } from '../realtime/database/catalog.ts';
import type { Database } from '../realtime/database/database.ts';
import { Databases } from '../realtime/database/registry.ts';
import { StoredRecords } from '../records/stored-records.ts';
import { DecisionRecorder } from '../rules/decision.ts';
import { DenialLog } from '../rules/denials/log.ts';
import { RuleProposals } from '../rules/proposals/proposals.ts';
import { OperationRecorder } from '../rules/recorder/recorder.ts';
import { Replay } from '../rules/recorder/replay.ts';
import { CachedStore } from '../storage/kv/cached-store.ts';
import { SnapshotStore } from '../storage/kv/snapshot-store.ts';
import type { KvStore } from '../storage/kv/store.ts';
import { EmbeddedLog } from '../storage/log/embedded.ts';
import { TransactionScheduler } from '../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../storage/transaction/transaction.ts';
import type { Emulation } from './mode.ts';
import type { Ports } from './ports.ts';

/** The store, its databases, and the logs and recorders of operations. */
export interface Storage {
  readonly store: SnapshotStore;
  readonly scheduler: TransactionScheduler;
  readonly databases: Databases;
  readonly openDatabase: (name: string, transaction?: WriteTransaction) => Database;
  readonly denials: DenialLog;
  readonly recorder: OperationRecorder;
  readonly replay: Replay;
  readonly proposals: RuleProposals;
  readonly recordStore: StoredRecords;
  readonly audit: AuditLog;
  readonly changes: Changes;
  readonly changeUpkeep: ChangeUpkeep;
  /** `null` outside development mode. */
  readonly emulation: Emulation | null;
}

/** Opens the databases of a store and the server's records in it. */
export function openStorage(ports: Ports): Storage {
  const { store: keyValues, clock, random, logger, mode, eventLoop, admission } = ports;
  const store = new SnapshotStore(new CachedStore(keyValues));
  const log = new EmbeddedLog({ store, replication: ports.replication });
  const scheduler = new TransactionScheduler({ log, clock, logger, eventLoop });
  const openDatabase = (name: string, transaction?: WriteTransaction): Database =>
    databases.open(name, transaction);
  const emulation = mode.openEmulation({ scheduler, clock, logger, openDatabase });
  const denials = new DenialLog({
    store,
    scheduler,
    clock,
    logger,
    ...(mode.developmentProject === null ? { isStored: isOwnedDatabase } : {}),
  });
  const recorder = new OperationRecorder({
    store,
    scheduler,
    clock,
    chance: random.chance,
    isOnAtFirst: mode.isRecordingOnAtFirst,
  });
  const coverage = emulation?.coverage ?? null;
  const databases: Databases = new Databases({
    longReads: admission.longReads,
    store,
    scheduler,
    clock,
    logger,
    randomBytes: random.randomBytes,
    newDatabaseRules: mode.newDatabaseRules,
    ...(emulation === null ? {} : { eventReceiver: emulation.functions }),
    observeDecisions: (database) => new DecisionRecorder({ database, denials, recorder, coverage }),
  });
  const replay = new Replay({
    scheduler,
    clock,
    recorder,
    places: admission.replays,
    findState: (transaction, name) => {
      const database = openDatabase(name, transaction);
      return { rules: database.rules, tree: database.tree(transaction) };
    },
  });
  const findTree = (transaction: WriteTransaction, name: string) =>
    openDatabase(name, transaction).tree(transaction);
  const proposals = new RuleProposals({ scheduler, denials, recorder, replay, findTree });
  const recordStore = new StoredRecords({ store, scheduler, log, openDatabase });
  const audit = new AuditLog({ recordStore, clock, logger, listLogs: () => listAuditLogs(store) });
  return {
    store,
    scheduler,
    databases,
    openDatabase,
    denials,
    recorder,
    replay,
    proposals,
    recordStore,
    audit,
    changes: new Changes({ store, scheduler, log, openDatabase }),
    changeUpkeep: new ChangeUpkeep(store, clock),
    emulation,
  };
}

/** Returns the projects that have an audit log, and `null` if the server has one. */
function listAuditLogs(store: KvStore): readonly (string | null)[] {
  const names = store.read((tx) => new DatabaseCatalog().allNames(tx, '', Number.POSITIVE_INFINITY));
  return names.flatMap((name) => {
    const records = findRecords(name);
    const projectId = records === undefined ? undefined : projectOfAuditRecords(records);
    return projectId === undefined ? [] : [projectId];
  });
}
