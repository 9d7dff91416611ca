import type { Path } from '@hearth/core/tree/path.ts';
import type { ImportMode, ImportState } from './import-state.ts';
import type { ImportWriter } from './intake.ts';

export interface StagedSetRequest extends ImportWriter {
  readonly path: Path;
}

export interface ImportRequest {
  readonly path: Path;
  readonly mode: ImportMode;
}

/** Writes of any size, stored in parts while they come. */
export interface ImportService {
  /**
   * Replaces the node at a path by JSON text in export form, at once and not before all of it has come. Rejects with a
   * `Refusal`, having changed nothing.
   */
  stageSet(database: string, request: StagedSetRequest, chunks: AsyncIterable<Buffer>): Promise<void>;
  /** Begins an import, or finds the one of that id: refuses with `import/conflict` if that is for another path or mode. */
  create(database: string, id: string, request: ImportRequest): Promise<ImportState>;
  /** Refuses with `import/unknown` what is not there or not any more. */
  read(database: string, id: string): Promise<ImportState>;
  /**
   * Takes in bytes of the source from `offset` on, which must be where the import stands: else refuses with an
   * `ImportConflict`. What was taken stays when the bytes break off. `isLast` says that the source ends with them.
   */
  append(database: string, id: string, source: ImportedBytes): Promise<ImportState>;
  /** Says that the source is complete, and resolves once the import is done or has failed. May be said again. */
  finish(database: string, id: string): Promise<ImportState>;
  /** Gives up an import, or forgets one that is over. What a merge has done stays. */
  remove(database: string, id: string): Promise<void>;
}

export interface ImportedBytes {
  readonly offset: number;
  readonly chunks: AsyncIterable<Buffer>;
  readonly isLast: boolean;
}
