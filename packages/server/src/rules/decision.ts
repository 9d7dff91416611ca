import type { AskedOperation } from '../access/authorization-request.ts';
import type { Turn } from '../storage/transaction/transaction.ts';
import type { DenialLog } from './denials/log.ts';
import type { CoverageKeeper } from './recorder/coverage.ts';
import type { OperationRecorder } from './recorder/recorder.ts';

/** Observes rule decisions, within the transaction of each decision. */
export interface VerdictObserver {
  tell(turn: Turn, asked: AskedOperation, isAllowed: boolean): void;
}

export interface VerdictKeeperOptions {
  readonly database: string;
  readonly denials: DenialLog;
  readonly recorder: OperationRecorder;
  /** Only in development mode. */
  readonly coverage: CoverageKeeper | null;
}

/**
 * Passes the decisions of rules on operations of one database to the denial log, the recording and the
 * coverage.
 */
export class VerdictKeeper {
  readonly #options: VerdictKeeperOptions;

  constructor(options: VerdictKeeperOptions) {
    this.#options = options;
  }

  /** Records a decision. Must be called in the transaction of the operation, before it has any effect. */
  tell(turn: Turn, asked: AskedOperation, isAllowed: boolean): void {
    const { database, denials, recorder, coverage } = this.#options;
    coverage?.count(database, asked);
    if (recorder.shouldRecord(turn, database)) recorder.record(turn, database, asked);
    if (!isAllowed && denials.shouldKeep(turn, database)) denials.keep(turn, database, asked);
  }
}
