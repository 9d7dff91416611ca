import type { Path } from '@hearth/core/tree/path.ts';
import type { Turn } from '../../commit/turn.ts';
import type { NodeId } from '../../kv/keys.ts';
import type { Asker } from '../asker.ts';
import type { Database } from '../database.ts';
import type { ImportCounts } from './import-state.ts';

/** Whose writes an import makes. */
export interface ImportWriter extends Asker {
  /** Of a write that an administrator makes. */
  readonly areTriggersDisabled: boolean;
}

/** For whom and where a source is taken in. */
export interface IntakeOptions extends ImportWriter {
  readonly path: Path;
  /** What timestamps in the source stand for. */
  readonly timeMs: number;
}

/** Takes in the source of one import, within turns. */
export interface Intake<State> {
  /** Takes in bytes of the source, and returns how many; the others are to be given again. Refuses bad ones. */
  take(turn: Turn, database: Database, bytes: Buffer, isLast: boolean): number;
  /** Once all was taken: does some of what is left to do, and returns whether that was all. */
  finish(turn: Turn, database: Database): boolean;
  /** Nodes to be reclaimed when the import is over. */
  readonly loose: readonly NodeId[];
  readonly counts: ImportCounts;
  /** To be written as JSON at once. */
  save(): State;
}
