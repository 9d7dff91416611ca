import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { RuleTree, RuleView } from '@hearth/core/rules/evaluate/values.ts';
import { proposedView } from '@hearth/core/rules/evaluate/views.ts';
import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import { nodeAt, type Priority } from '@hearth/core/tree/node.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import { isAtOrAbove, joinPaths, type Path, pathOf } from '@hearth/core/tree/path.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Holder, Lease } from '../../platform/lease.ts';
import type { ResourcePool } from '../../platform/resource-pool.ts';
import type { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { examineOperation } from '../examine-operation.ts';
import type { OperationRecorder } from './recorder.ts';
import { decidedOperation, type NodeBefore, type RecordedOperation } from './recording.ts';
import { caseExample, type DecisionChange, type ReplayReport, ReplayTally } from './report.ts';

/** A tree in which some paths have their earlier content. */
export class OverlayTree implements RuleTree {
  readonly #tree: RuleTree;
  readonly #before: readonly NodeBefore[];
  readonly #view: RuleView;

  constructor(tree: RuleTree, before: readonly NodeBefore[]) {
    this.#tree = tree;
    this.#before = before;
    this.#view = proposedView(
      tree,
      before.map((restored) => ({ kind: 'node', ...restored })),
    );
  }

  findValue(path: Path): IndexValue {
    return this.#view.findValue(path);
  }

  findPriority(path: Path): Priority {
    return this.#view.findPriority(path);
  }

  firstKeys(path: Path, limit: number): readonly Key[] {
    const above = this.#before.find((restored) => isAtOrAbove(restored.path, path));
    if (above !== undefined) {
      const node = nodeAt(above.node, pathOf(path.slice(above.path.length)));
      return node?.kind === 'inner' ? node.children.keys().take(limit).toArray() : [];
    }
    const restoredKeys = this.#before.flatMap((restored) =>
      isAtOrAbove(path, restored.path) ? [restored.path[path.length]] : [],
    );
    const keys = new Set(this.#tree.firstKeys(path, limit + restoredKeys.length));
    for (const key of restoredKeys) if (key !== undefined) keys.add(key);
    return [...keys]
      .filter((key) => this.findValue(joinPaths(path, [key])) !== null)
      .sort(compareKeys)
      .slice(0, limit);
  }
}

export interface ReplayOptions {
  readonly scheduler: TransactionScheduler;
  readonly clock: Clock;
  readonly recorder: OperationRecorder;
  /** The places for the replays of all administrators. */
  readonly places: ResourcePool;
  /** Returns the current rules and the current tree of a database. */
  readonly findState: (
    transaction: WriteTransaction,
    database: string,
  ) => { readonly rules: RuleSet; readonly tree: RuleTree };
}

export interface ReplayRunOptions {
  /** The rules that the draft is compared with; by default the current ones. */
  readonly base?: RuleSet;
  /** Called with each decision that the draft changes. */
  readonly observe?: (change: DecisionChange) => void;
}

/** Time that a replay may add to one transaction, in ms. */
const MAX_STEP_MS = 4;

/** The result of one step: the changes, and the position after the last decided operation. */
interface Step {
  readonly end: number;
  readonly changes: readonly DecisionChange[];
}

/**
 * Tests a draft of rules against the recorded operations. Both the draft and the current rules decide each
 * operation on the current tree, in which the written paths have the content from before the operation.
 */
export class Replay {
  readonly #options: ReplayOptions;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  /**
   * Returns the decisions that the draft changes. Throws `rules/invalid` if the draft is not valid, and
   * `request/overload` if too many replays are running, or if the replay loses its place to another.
   */
  async run(
    holder: Holder,
    database: string,
    source: string,
    options: ReplayRunOptions = {},
  ): Promise<ReplayReport> {
    const place = this.takePlace(holder);
    try {
      return await this.runIn(place, database, source, options);
    } finally {
      place.release();
    }
  }

  /**
   * Returns a place for a replay, which the caller releases. It is taken before rules are parsed, because that can take
   * long. Throws `request/overload`.
   */
  takePlace(holder: Holder): Lease {
    return this.#options.places.requirePlace(holder, 'replays', () => undefined);
  }

  /** Like `run`, in a place that the caller has taken. */
  async runIn(
    place: Lease,
    database: string,
    source: string,
    { base, observe }: ReplayRunOptions = {},
  ): Promise<ReplayReport> {
    const { scheduler, recorder } = this.#options;
    const draft = parseRules(source);
    const { operations, notRecorded, sampledOut } = recorder.read(database);
    const tally = new ReplayTally();
    let next = 0;
    while (next < operations.length) {
      if (!place.isOpen)
        throw new RequestError('request/overload', 'Another administrator needed the place of this replay.');
      place.recordProgress();
      const from = next;
      const step = await scheduler.request((transaction) =>
        this.#step(transaction, database, { base, draft }, operations, from, tally),
      );
      for (const change of step.changes) {
        tally.add(change);
        observe?.(change);
      }
      next = step.end;
    }
    return tally.report({ operations: operations.length, notRecorded, sampledOut });
  }

  #step(
    transaction: WriteTransaction,
    database: string,
    { base, draft }: { readonly base: RuleSet | undefined; readonly draft: RuleSet },
    operations: readonly RecordedOperation[],
    from: number,
    tally: ReplayTally,
  ): Step {
    const { clock, findState } = this.#options;
    const endMs = clock.elapsedMs() + MAX_STEP_MS;
    const { rules: current, tree } = findState(transaction, database);
    const rules = base ?? current;
    const changes: DecisionChange[] = [];
    let end = from;
    do {
      const recorded = operations[end++];
      const change = recorded && findChange(recorded, tree, rules, draft, tally);
      if (change !== undefined) changes.push(change);
    } while (end < operations.length && clock.elapsedMs() < endMs);
    return { end, changes };
  }
}

function findChange(
  recorded: RecordedOperation,
  present: RuleTree,
  rules: RuleSet,
  draft: RuleSet,
  tally: ReplayTally,
): DecisionChange | undefined {
  const tree = recorded.kind === 'read' ? present : new OverlayTree(present, recorded.before);
  const operation = decidedOperation(recorded, tree);
  const wasAllowed = examineOperation(rules, operation).isAllowed;
  const { isAllowed, deciding } = examineOperation(draft, operation);
  if (isAllowed === wasAllowed) return undefined;
  const rule = deciding?.rule ?? null;
  const example = tally.wantsExample(isAllowed, rule) ? caseExample(recorded, tree, rules, draft) : undefined;
  return { recorded, isAllowed, deciding: rule, example };
}
