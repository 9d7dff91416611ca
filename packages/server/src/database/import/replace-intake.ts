import { must } from '@hearth/core/fault/assert.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import type { Turn } from '../../commit/turn.ts';
import type { NodeId } from '../../kv/keys.ts';
import type { BuiltTree } from '../../tree/container-stack.ts';
import { blobNode } from '../../tree/entry.ts';
import type { CatalogEntry } from '../../tree/index-catalog.ts';
import { StagedJson, type StagedJsonState } from '../../tree/staged-json.ts';
import type { Database } from '../database.ts';
import { decideLink } from '../link-write.ts';
import { decideWrite } from '../write.ts';
import type { Intake, IntakeOptions } from './intake.ts';

export interface ReplaceState {
  readonly kind: 'replace';
  /** The indexes that were declared when the import began. */
  readonly catalog: readonly CatalogEntry[];
  readonly json: StagedJsonState | null;
}

/** Builds a tree out of sight, and puts it in the place of what is there when it is complete. */
export class ReplaceIntake implements Intake<ReplaceState> {
  readonly counts = {};
  readonly #options: IntakeOptions;
  readonly #catalog: readonly CatalogEntry[];
  readonly #staged: StagedJson;
  #isLinked = false;

  constructor(options: IntakeOptions, state: ReplaceState) {
    this.#options = options;
    this.#catalog = state.catalog;
    this.#staged = new StagedJson(options, state.json ?? undefined);
  }

  take(turn: Turn, database: Database, bytes: Buffer, isLast: boolean): number {
    return this.#staged.scan(database.tree(turn).buildTarget(), bytes, isLast);
  }

  finish(turn: Turn, database: Database): boolean {
    const built = must(this.#staged.built, 'the source is complete');
    applyBuilt(turn, database, this.#options, built, this.#catalog);
    this.#isLinked = true;
    return true;
  }

  get loose(): readonly NodeId[] {
    return this.#isLinked ? [] : this.#staged.loose;
  }

  save(): ReplaceState {
    return { kind: 'replace', catalog: this.#catalog, json: this.#staged.save() };
  }
}

/** Writes what was built to its place: as any other write, if it is small. */
function applyBuilt(
  turn: Turn,
  database: Database,
  { identity, path }: IntakeOptions,
  built: BuiltTree,
  catalog: readonly CatalogEntry[],
): void {
  if (built.kind === 'node') {
    decideLink(turn, database, { identity, places: [{ path, built }], catalog });
    return;
  }
  const node = builtNode(built);
  decideWrite(turn, database, {
    identity,
    writes: [{ kind: 'node', path, draft: { kind: 'resolved', node } }],
  });
}

/** What was built, if it is small. */
export function builtNode(built: Exclude<BuiltTree, { readonly kind: 'node' }>): TreeNode | null {
  return built.kind === 'blob' ? blobNode(built.entry) : null;
}
