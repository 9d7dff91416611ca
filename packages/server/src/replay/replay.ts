import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseRules } from '@hearth/core/rules/parse-rules.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { RuleTree } from '@hearth/core/rules/rule-view.ts';
import type { Committer } from '../commit/committer.ts';
import type { Turn } from '../commit/turn.ts';
import { examineOperation } from '../denials/examine-operation.ts';
import type { Clock } from '../ops/clock.ts';
import { caseExample } from './case-example.ts';
import { decidedOperation } from './decided-operation.ts';
import type { OperationRecorder } from './operation-recorder.ts';
import { OverlayTree } from './overlay-tree.ts';
import type { RecordedOperation } from './recorded-operation.ts';
import { type ReplayReport, ReplayTally, type VerdictChange } from './replay-report.ts';

export interface ReplayOptions {
  readonly committer: Committer;
  readonly clock: Clock;
  readonly recorder: OperationRecorder;
  /** The rules in force and the present tree of a database. */
  readonly findState: (turn: Turn, database: string) => { readonly rules: RuleSet; readonly tree: RuleTree };
}

/** Time that a replay may add to one turn, in ms. */
const MAX_STEP_MS = 4;

/** Most replays under way at a time. */
const MAX_REPLAYS = 2;

/** What of the recorded operations a step has decided. */
interface Step {
  readonly end: number;
  readonly changes: readonly VerdictChange[];
}

/**
 * Tries a draft of rules on the recorded operations: both it and the rules in force decide each on the present tree, on
 * which the places that it wrote to are as they were.
 */
export class Replay {
  readonly #options: ReplayOptions;
  #running = 0;

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  /** Refuses with `rules/invalid` what are no rules, and with `request/overload` when too many replays are under way. */
  async run(database: string, source: string): Promise<ReplayReport> {
    const draft = parseRules(source);
    if (this.#running >= MAX_REPLAYS)
      throw new Refusal('request/overload', 'There are replays under way: try again when they have ended.');
    this.#running++;
    try {
      return await this.#run(database, draft);
    } finally {
      this.#running--;
    }
  }

  async #run(database: string, draft: RuleSet): Promise<ReplayReport> {
    const { committer, recorder } = this.#options;
    const { operations, notRecorded, sampledOut } = recorder.read(database);
    const tally = new ReplayTally();
    let next = 0;
    while (next < operations.length) {
      const from = next;
      const step = await committer.request((turn) =>
        this.#step(turn, database, draft, operations, from, tally),
      );
      for (const change of step.changes) tally.add(change);
      next = step.end;
    }
    return tally.report({ operations: operations.length, notRecorded, sampledOut });
  }

  #step(
    turn: Turn,
    database: string,
    draft: RuleSet,
    operations: readonly RecordedOperation[],
    from: number,
    tally: ReplayTally,
  ): Step {
    const { clock, findState } = this.#options;
    const endMs = clock.elapsedMs() + MAX_STEP_MS;
    const { rules, tree } = findState(turn, database);
    const changes: VerdictChange[] = [];
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
): VerdictChange | undefined {
  const tree = recorded.kind === 'read' ? present : new OverlayTree(present, recorded.before);
  const operation = decidedOperation(recorded, tree);
  const wasAllowed = examineOperation(rules, operation).isAllowed;
  const { isAllowed, deciding } = examineOperation(draft, operation);
  if (isAllowed === wasAllowed) return undefined;
  const rule = deciding?.rule ?? null;
  const example = tally.wantsExample(isAllowed, rule) ? caseExample(recorded, tree, rules, draft) : undefined;
  return { isAllowed, deciding: rule, example };
}
