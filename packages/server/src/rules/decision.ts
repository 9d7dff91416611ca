import type { AuthorizationRequest } from '../access/authorization-request.ts';
import type { WriteTransaction } from '../storage/transaction/transaction.ts';
import type { DenialLog } from './denials/log.ts';
import type { CoverageRecorder } from './recorder/coverage.ts';
import type { OperationRecorder } from './recorder/recorder.ts';

/** Observes rule decisions, within the transaction of each decision. */
export interface DecisionObserver {
  notify(transaction: WriteTransaction, request: AuthorizationRequest, isAllowed: boolean): void;
}

export interface DecisionRecorderOptions {
  readonly database: string;
  readonly denials: DenialLog;
  readonly recorder: OperationRecorder;
  /** `null` outside development mode. */
  readonly coverage: CoverageRecorder | null;
}

/** Passes the rule decisions of one database to the denial log, the recorder of operations and the coverage. */
export class DecisionRecorder {
  readonly #options: DecisionRecorderOptions;

  constructor(options: DecisionRecorderOptions) {
    this.#options = options;
  }

  /**
   * Records a decision. Must be called in the transaction of the operation, before the operation changes data.
   */
  notify(transaction: WriteTransaction, request: AuthorizationRequest, isAllowed: boolean): void {
    const { database, denials, recorder, coverage } = this.#options;
    coverage?.count(database, request);
    if (recorder.shouldRecord(transaction, database)) recorder.record(transaction, database, request);
    if (!isAllowed && denials.shouldKeep(transaction, database, request.networkOf))
      denials.keep(transaction, database, request);
  }
}
