import { formatPath, isAtOrAbove, type Path, pathOf } from '../../tree/path.ts';
import { type EvaluateRule, findDeniedRead, findDeniedWrite } from '../evaluate/decide.ts';
import type { ReadOperation, WriteOperation } from '../evaluate/operation.ts';
import type { Rule, RuleSet } from '../evaluate/rule-set.ts';
import type { Scope } from '../evaluate/scope.ts';
import { MAX_WORK, WorkBudget } from '../evaluate/work-budget.ts';
import { type Explanation, type RuleTrace, type TraceStep, traceRule } from './trace.ts';

/** Explains why a read is allowed or denied. Evaluates the same rules as `isReadAllowed` and traces them. */
export function explainRead(rules: RuleSet, operation: ReadOperation): Explanation {
  return explain((evaluateRule) => findDeniedRead(rules, operation, evaluateRule));
}

/**
 * Explains why a write is allowed or denied. Evaluates the same rules as `isWriteAllowed` and traces them.
 * Throws `write/too-big` when `isWriteAllowed` does.
 */
export function explainWrite(rules: RuleSet, operation: WriteOperation): Explanation {
  return explain((evaluateRule) => findDeniedWrite(rules, operation, evaluateRule));
}

/**
 * Maximum number of rules that are traced, in addition to the deciding rule. A write of very many values
 * evaluates as many rules.
 */
const MAX_TRACES = 1000;

/** Total steps in all traces after which no other rule is traced. */
const MAX_STEPS = 100_000;

/** A rule that was evaluated, its scope, and the work that was left before it. */
interface EvaluatedRule {
  readonly rule: Rule;
  readonly scope: Scope;
  readonly work: number;
  readonly holds: boolean;
  /** `null` when the limits for traces were reached. */
  readonly trace: RuleTrace | null;
}

function explain(walk: (evaluateRule: EvaluateRule) => Path | null): Explanation {
  const rules: RuleTrace[] = [];
  const candidates = new Candidates();
  let steps = 0;
  const denied = walk((rule, currentScope) => {
    const work = currentScope.work?.left ?? MAX_WORK;
    const isTraced = rules.length < MAX_TRACES && steps < MAX_STEPS;
    const scope = { ...currentScope, path: pathOf([...currentScope.path]) };
    const trace = isTraced ? traceOf(rule, scope) : null;
    if (trace !== null) {
      steps += countSteps(trace.step);
      rules.push(trace);
    }
    const holds = trace?.holds ?? rule.evaluate(scope) === true;
    candidates.add({ rule, scope, work, holds, trace });
    return holds;
  });
  const decidingRule = denied === null ? candidates.findGrantingRule() : candidates.findDenyingRule(denied);
  const deciding = decidingRule === undefined ? null : (decidingRule.trace ?? traceAgain(decidingRule));
  if (deciding !== null && decidingRule?.trace === null) rules.push(deciding);
  return {
    isAllowed: denied === null,
    deniedPath: denied === null ? null : pathText(denied),
    rules,
    deciding,
  };
}

/**
 * The evaluated rules that may be the deciding one. An operation may evaluate millions of rules, so this
 * class stores only the candidates.
 */
class Candidates {
  #last: EvaluatedRule | undefined;
  #granting: EvaluatedRule | undefined;
  /** By depth below the root, the last `.read` or `.write` that was evaluated. */
  readonly #byDepth: (EvaluatedRule | undefined)[] = [];

  add(evaluated: EvaluatedRule): void {
    this.#last = evaluated;
    const { kind, location } = evaluated.rule;
    if (kind === 'validate') return;
    this.#byDepth[location.length] = evaluated;
    if (evaluated.holds) this.#granting = evaluated;
  }

  findGrantingRule(): EvaluatedRule | undefined {
    return this.#granting;
  }

  /**
   * Returns the rule that denied the operation. Evaluation stops at the first invalid path, so a `.validate`
   * evaluated last is that rule. Otherwise no rule granted the operation, and the deepest rule at or above
   * the denied path is that rule.
   */
  findDenyingRule(denied: Path): EvaluatedRule | undefined {
    if (this.#last?.rule.kind === 'validate') return this.#last;
    return this.#byDepth.findLast(
      (evaluated) => evaluated !== undefined && isAtOrAbove(locationOf(evaluated), denied),
    );
  }
}

/** Traces the rule with the same work budget as in its first evaluation. */
function traceAgain({ rule, scope, work }: EvaluatedRule): RuleTrace {
  return traceOf(rule, { ...scope, work: new WorkBudget(work) });
}

function locationOf({ rule, scope }: Pick<EvaluatedRule, 'rule' | 'scope'>): Path {
  return pathOf(scope.path.slice(0, rule.location.length));
}

function traceOf(rule: Rule, scope: Scope): RuleTrace {
  return traceRule(rule, scope, pathText(locationOf({ rule, scope })));
}

function countSteps({ steps }: TraceStep): number {
  return steps.reduce((count, step) => count + countSteps(step), 1);
}

function pathText(path: Path): string {
  return `/${formatPath(path)}`;
}
