import type { Rule, RuleKind } from '@hearth/core/rules/rule-set.ts';
import { printPath } from '../denials/print-path.ts';
import { printRule } from '../denials/printed-rule.ts';
import type { CaseExample } from './case-example.ts';

/** Operations whose verdict changes in the same way because of the same rule. */
export interface ChangedVerdicts {
  /** The rule of the draft that grants or that fails; the deepest that could grant, or `null` if there is none. */
  readonly rule: { readonly kind: RuleKind; readonly location: string; readonly text: string } | null;
  readonly count: number;
  /** As test cases that expect the verdict of the rules in force; at most `MAX_EXAMPLES`. */
  readonly examples: readonly CaseExample[];
}

/** How much of what was asked for is replayed. */
export interface ReplayedCounts {
  /** How many operations were decided by both. */
  readonly operations: number;
  /** How many were too long to be recorded. */
  readonly notRecorded: number;
  /** How many came too fast to be recorded. */
  readonly sampledOut: number;
}

/** What a draft of rules would have changed. */
export interface ReplayReport extends ReplayedCounts {
  /** Those that change most first. */
  readonly allowedToDenied: readonly ChangedVerdicts[];
  readonly deniedToAllowed: readonly ChangedVerdicts[];
}

/** One operation that the draft decides differently. */
export interface VerdictChange {
  readonly isAllowed: boolean;
  /** Of the draft. */
  readonly deciding: Rule | null;
  readonly example: CaseExample | undefined;
}

const MAX_EXAMPLES = 5;

interface Group {
  count: number;
  readonly examples: CaseExample[];
}

/** Counts changes by direction and rule. */
export class ReplayTally {
  readonly #groups = { allowed: new Map<Rule | null, Group>(), denied: new Map<Rule | null, Group>() };

  /** Are there fewer examples of such a change than are shown? */
  wantsExample(isAllowed: boolean, deciding: Rule | null): boolean {
    return (this.#side(isAllowed).get(deciding)?.examples.length ?? 0) < MAX_EXAMPLES;
  }

  add({ isAllowed, deciding, example }: VerdictChange): void {
    const side = this.#side(isAllowed);
    const group = side.get(deciding) ?? { count: 0, examples: [] };
    side.set(deciding, group);
    group.count++;
    if (example !== undefined && group.examples.length < MAX_EXAMPLES) group.examples.push(example);
  }

  report(counts: ReplayedCounts): ReplayReport {
    return {
      ...counts,
      allowedToDenied: changesOf(this.#groups.denied),
      deniedToAllowed: changesOf(this.#groups.allowed),
    };
  }

  #side(isAllowed: boolean): Map<Rule | null, Group> {
    return isAllowed ? this.#groups.allowed : this.#groups.denied;
  }
}

function changesOf(groups: ReadonlyMap<Rule | null, Group>): readonly ChangedVerdicts[] {
  return Array.from(groups, ([rule, { count, examples }]) => ({
    rule: rule && { kind: rule.kind, location: printPath(rule.location), text: printRule(rule).text },
    count,
    examples,
  })).sort((a, b) => b.count - a.count);
}
