import { must } from '@hearth/core/fault/assert.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import type { Turn } from '../../commit/turn.ts';
import type { NodeId } from '../../kv/keys.ts';
import type { BuiltTree } from '../../tree/container-stack.ts';
import { blobNode } from '../../tree/entry.ts';
import { StagedJson, type StagedJsonState } from '../../tree/staged-json.ts';
import type { Database } from '../database.ts';
import { decideLink } from '../link-write.ts';
import { decideWrite } from '../write.ts';
import { DeclaredWhileStaging, type DeclaredWhileStagingState } from './declared-while-staging.ts';
import type { Intake, IntakeOptions } from './intake.ts';

export interface ReplaceState {
  readonly kind: 'replace';
  readonly indexes: DeclaredWhileStagingState;
  readonly json: StagedJsonState | null;
}

/** Builds a tree out of sight, and puts it in the place of what is there when it is complete. */
export class ReplaceIntake implements Intake<ReplaceState> {
  readonly counts = {};
  readonly #options: IntakeOptions;
  readonly #indexes: DeclaredWhileStaging;
  readonly #staged: StagedJson;
  #isLinked = false;

  constructor(options: IntakeOptions, state: ReplaceState) {
    this.#options = options;
    this.#indexes = new DeclaredWhileStaging(state.indexes);
    this.#staged = new StagedJson(options, state.json ?? undefined);
  }

  take(turn: Turn, database: Database, bytes: Buffer, isLast: boolean): number {
    const tree = database.tree(turn);
    this.#indexes.note(tree);
    return this.#staged.scan(tree.buildTarget(), bytes, isLast);
  }

  finish(turn: Turn, database: Database): boolean {
    const built = must(this.#staged.built, 'the source is complete');
    applyBuilt(turn, database, this.#options, built, this.#indexes.save());
    this.#isLinked = true;
    return true;
  }

  get loose(): readonly NodeId[] {
    return this.#isLinked ? [] : this.#staged.loose;
  }

  save(): ReplaceState {
    return { kind: 'replace', indexes: this.#indexes.save(), json: this.#staged.save() };
  }
}

/** Writes what was built to its place: as any other write, if it is small. */
function applyBuilt(
  turn: Turn,
  database: Database,
  { operation, identity, path, areTriggersDisabled }: IntakeOptions,
  built: BuiltTree,
  indexes: DeclaredWhileStagingState,
): void {
  if (built.kind === 'node') {
    decideLink(turn, database, { operation, identity, places: [{ path, built }], ...indexes });
    return;
  }
  const node = builtNode(built);
  decideWrite(turn, database, {
    operation,
    identity,
    areTriggersDisabled,
    writes: [{ kind: 'node', path, draft: { kind: 'resolved', node } }],
  });
}

/** What was built, if it is small. */
export function builtNode(built: Exclude<BuiltTree, { readonly kind: 'node' }>): TreeNode | null {
  return built.kind === 'blob' ? blobNode(built.entry) : null;
}
