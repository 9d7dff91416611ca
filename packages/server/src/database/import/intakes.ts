import type { Turn } from '../../commit/turn.ts';
import type { Database } from '../database.ts';
import { CompareIntake, type CompareState } from './compare-intake.ts';
import type { ImportMode } from './import-state.ts';
import type { IntakeOptions } from './intake.ts';
import { MergeIntake, type MergeState } from './merge-intake.ts';
import { ReplaceIntake, type ReplaceState } from './replace-intake.ts';

export type OpenIntake = ReplaceIntake | MergeIntake | CompareIntake;

export type IntakeState = ReplaceState | MergeState | CompareState;

/** Begins to take in a source. */
export function beginIntake(
  mode: ImportMode,
  options: IntakeOptions,
  turn: Turn,
  database: Database,
): OpenIntake {
  const indexes = { catalog: database.tree(turn).indexCatalog(), later: [] };
  switch (mode) {
    case 'replace':
      return new ReplaceIntake(options, { kind: 'replace', indexes, json: null });
    case 'merge':
      return new MergeIntake(options, { kind: 'merge', indexes, scan: null });
    case 'compare':
      return new CompareIntake(options, { kind: 'compare', json: null, walk: null });
    default:
      return mode satisfies never;
  }
}

/** Goes on where another has stood. */
export function resumeIntake(options: IntakeOptions, state: IntakeState): OpenIntake {
  switch (state.kind) {
    case 'replace':
      return new ReplaceIntake(options, state);
    case 'merge':
      return new MergeIntake(options, state);
    case 'compare':
      return new CompareIntake(options, state);
    default:
      return state satisfies never;
  }
}
