import type { Turn } from '../commit/turn.ts';
import type { AskedOperation } from '../denials/asked-operation.ts';
import type { DenialLog } from '../denials/denial-log.ts';
import type { OperationRecorder } from './operation-recorder.ts';

/** Takes what rules said of the operations of one database to the denial log and to the recording. */
export class VerdictKeeper {
  readonly #database: string;
  readonly #denials: DenialLog;
  readonly #recorder: OperationRecorder;

  constructor(database: string, denials: DenialLog, recorder: OperationRecorder) {
    this.#database = database;
    this.#denials = denials;
    this.#recorder = recorder;
  }

  /** To be called in the turn of the operation, before it has any effect. */
  tell(turn: Turn, asked: AskedOperation, isAllowed: boolean): void {
    const database = this.#database;
    if (this.#recorder.shouldRecord(turn, database)) this.#recorder.record(turn, database, asked);
    if (!isAllowed && this.#denials.shouldKeep(turn, database)) this.#denials.keep(turn, database, asked);
  }
}
