import type { Turn } from '../commit/turn.ts';
import type { AskedOperation } from '../denials/asked-operation.ts';
import type { DenialLog } from '../denials/denial-log.ts';
import type { CoverageKeeper } from './coverage-keeper.ts';
import type { OperationRecorder } from './operation-recorder.ts';

export interface VerdictKeeperOptions {
  readonly database: string;
  readonly denials: DenialLog;
  readonly recorder: OperationRecorder;
  /** Counted in development mode alone. */
  readonly coverage: CoverageKeeper | null;
}

/** Takes what rules said of the operations of one database to the denial log, to the recording and to the coverage. */
export class VerdictKeeper {
  readonly #options: VerdictKeeperOptions;

  constructor(options: VerdictKeeperOptions) {
    this.#options = options;
  }

  /** To be called in the turn of the operation, before it has any effect. */
  tell(turn: Turn, asked: AskedOperation, isAllowed: boolean): void {
    const { database, denials, recorder, coverage } = this.#options;
    coverage?.count(database, asked);
    if (recorder.shouldRecord(turn, database)) recorder.record(turn, database, asked);
    if (!isAllowed && denials.shouldKeep(turn, database)) denials.keep(turn, database, asked);
  }
}
