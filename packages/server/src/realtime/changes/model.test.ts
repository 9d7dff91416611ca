import { replaceAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson, parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { isAtOrAbove, type Path, pathOf } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ADMIN } from '../../access/principal.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { checkTrees } from '../../storage/tree/check.ts';
import { reclaimStep } from '../../storage/tree/garbage.ts';
import { historyNodes, historyPaths } from '../../storage/tree/history.arbitrary.ts';
import { findStoredTree } from '../database/catalog.ts';
import { ImportTestBed } from '../import/test-bed.fixture.ts';
import { ChangeConflict } from './changes.ts';
import { listKeptTrees } from './record.ts';

/** One step of a random history of one administrator, other writers, and background work. */
type Step =
  | { readonly kind: 'change' | 'other'; readonly path: Path; readonly node: TreeNode | null }
  | { readonly kind: 'undo'; readonly which: number; readonly overwrites: boolean }
  | { readonly kind: 'work'; readonly entries: number };

const write = { path: historyPaths.map(pathOf), node: fc.option(historyNodes) };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), ...write }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('other' as const), ...write }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('undo' as const),
      which: fc.nat({ max: 5 }),
      overwrites: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('work' as const), entries: fc.nat({ max: 30 }) }) },
);

/** A write of the history that is not undone, with the tree before it. */
interface Made {
  readonly id: number | null;
  readonly path: Path;
  readonly node: TreeNode | null;
  readonly before: TreeNode | null;
}

/** The database as the history should have left it: all writes in order, without those that were undone. */
class Model {
  #base: TreeNode | null = null;
  made: Made[] = [];

  get tree(): TreeNode | null {
    return this.made.reduce((tree, { path, node }) => replaceAt(tree, path, node), this.#base);
  }

  /** Returns whether a later write overlaps the path of a write. The undo must then ask for confirmation. */
  isOverwritten(undone: Made): boolean {
    const later = this.made.slice(this.made.indexOf(undone) + 1);
    return later.some(({ path }) => isAtOrAbove(path, undone.path) || isAtOrAbove(undone.path, path));
  }

  remove(undone: Made): void {
    this.made = this.made.filter((one) => one !== undone);
  }

  /** Continues from a known tree. The history undoes none of the changes before it. */
  restart(tree: TreeNode | null): void {
    this.#base = tree;
    this.made = [];
  }
}

class History {
  readonly #store = new MemoryStore();
  readonly #bed = new ImportTestBed(this.#store);
  readonly #model = new Model();

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case 'change':
      case 'other': {
        const { path, node } = step;
        const before = this.#model.tree;
        const { change, commit } = await this.#bed.databases.write('d', {
          operation: 'PUT',
          identity: ADMIN,
          writes: [{ kind: 'node', path, draft: { kind: 'resolved', node } }],
          ...(step.kind === 'change' ? { change: { kind: 'write', author: 'ann' } } : {}),
        });
        if (commit !== null) this.#model.made.push({ id: change, path, node, before });
        break;
      }
      case 'undo':
        await this.#undo(step.which, step.overwrites);
        break;
      case 'work':
        this.#store.transact((tx) => reclaimStep(tx, step.entries));
        break;
      default:
        step satisfies never;
    }
    expect(await this.#bed.read()).toBe(exportJson(this.#model.tree));
  }

  /** Returns the problems of the store, after the garbage is removed. */
  problems(): readonly string[] {
    while (this.#store.transact((tx) => reclaimStep(tx, 100)) >= 100);
    return this.#store.read((tx) => {
      const tree = findStoredTree(tx, 'd');
      const check = checkTrees(tx, tree === undefined ? [] : [{ name: 'd', tree }], listKeptTrees(tx));
      for (;;) {
        const step = check.next();
        if (step.done === true) return step.value.problems;
      }
    });
  }

  async #undo(which: number, overwrites: boolean): Promise<void> {
    const own = this.#model.made.filter(({ id }) => id !== null);
    const undone = own.at(-1 - (which % Math.max(1, own.length)));
    if (undone === undefined || undone.id === null) return;
    const request = { identity: ADMIN, author: 'ann' };
    try {
      await this.#bed.changes.undo('d', undone.id, { ...request, confirmed: null });
    } catch (error) {
      if (!(error instanceof ChangeConflict)) throw error;
      if (!overwrites) return;
      await this.#bed.changes.undo('d', undone.id, { ...request, confirmed: error.later.seq });
      await this.#expectRestored(undone);
      return;
    }
    expect(this.#model.isOverwritten(undone)).toBe(false);
    this.#model.remove(undone);
  }

  /** Expects the former value at the path, and lets the model continue from the current tree. */
  async #expectRestored({ path, before }: Made): Promise<void> {
    const now = parseNodeJson(await this.#bed.read());
    const restored = replaceAt(now, path, nodeAtPath(before, path));
    expect(exportJson(now)).toBe(exportJson(restored));
    this.#model.restart(now);
  }
}

function nodeAtPath(node: TreeNode | null, path: Path): TreeNode | null {
  return path.reduce<TreeNode | null>(
    (here, key) => (here?.kind === 'inner' ? (here.children.get(key) ?? null) : null),
    node,
  );
}

test('[L121] after any history with other writers, an undo restores the database without its change, or asks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 20, size: 'max' }), async (history) => {
      const run = new History();
      for (const step of history) await run.run(step);
      expect(run.problems()).toEqual([]);
    }),
    { numRuns: 120 },
  );
});
