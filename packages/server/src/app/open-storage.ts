import { AuditLog } from '../audit/log.ts';
import type { Database } from '../realtime/database/database.ts';
import { Databases } from '../realtime/database/registry.ts';
import { StoredBooks } from '../records/stored-records.ts';
import { VerdictKeeper } from '../rules/decision.ts';
import { DenialLog } from '../rules/denials/log.ts';
import { OperationRecorder } from '../rules/recorder/recorder.ts';
import { Replay } from '../rules/recorder/replay.ts';
import { RememberingStore } from '../storage/kv/cached-store.ts';
import { SnapshotStore } from '../storage/kv/snapshot-store.ts';
import { EmbeddedLog } from '../storage/log/embedded.ts';
import { Committer } from '../storage/transaction/scheduler.ts';
import type { Turn } from '../storage/transaction/transaction.ts';
import type { Emulation } from './mode.ts';
import type { Ports } from './ports.ts';

/** The store, and what decides and records what is done to it. */
export interface Storage {
  readonly store: SnapshotStore;
  readonly committer: Committer;
  readonly databases: Databases;
  readonly openDatabase: (name: string, turn?: Turn) => Database;
  readonly denials: DenialLog;
  readonly recorder: OperationRecorder;
  readonly replay: Replay;
  readonly books: StoredBooks;
  readonly audit: AuditLog;
  /** `null` outside development mode. */
  readonly emulation: Emulation | null;
}

/** Opens the databases of a store, and the records of the server in it. */
export function openStorage({ store: keyValues, clock, random, logger, mode }: Ports): Storage {
  const store = new SnapshotStore(new RememberingStore(keyValues));
  const log = new EmbeddedLog({ store });
  const committer = new Committer({ log, clock, logger });
  const openDatabase = (name: string, turn?: Turn): Database => databases.open(name, turn);
  const emulation = mode.openEmulation({ committer, clock, logger, openDatabase });
  const denials = new DenialLog({ store, committer, clock, logger });
  const recorder = new OperationRecorder({
    store,
    committer,
    clock,
    chance: random.chance,
    isOnAtFirst: mode.isRecordingOnAtFirst,
  });
  const coverage = emulation?.coverage ?? null;
  const databases: Databases = new Databases({
    store,
    committer,
    clock,
    logger,
    randomBytes: random.randomBytes,
    newDatabaseRules: mode.newDatabaseRules,
    ...(emulation === null ? {} : { eventReceiver: emulation.functions }),
    observeVerdicts: (database) => new VerdictKeeper({ database, denials, recorder, coverage }),
  });
  const replay = new Replay({
    committer,
    clock,
    recorder,
    findState: (turn, name) => {
      const database = openDatabase(name, turn);
      return { rules: database.rules, tree: database.tree(turn) };
    },
  });
  const books = new StoredBooks({ store, committer, log, openDatabase });
  const audit = new AuditLog({ books, clock, logger });
  return {
    store,
    committer,
    databases,
    openDatabase,
    denials,
    recorder,
    replay,
    books,
    audit,
    emulation,
  };
}
