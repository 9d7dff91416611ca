import { formatPath, isAtOrAbove, type Path, pathOf } from '../../tree/path.ts';
import { type EvaluateRule, findDeniedRead, findDeniedWrite } from '../evaluate/decide.ts';
import type { ReadOperation, WriteOperation } from '../evaluate/operation.ts';
import type { Rule, RuleSet } from '../evaluate/rule-set.ts';
import type { Scope } from '../evaluate/scope.ts';
import { MAX_WORK, WorkBudget } from '../evaluate/work-budget.ts';
import { type Explanation, type RuleTrace, type TraceStep, traceRule } from './trace.ts';

/** Why a read is allowed or not: the walk of `isReadAllowed`, with traces of the rules that it asks. */
export function explainRead(rules: RuleSet, operation: ReadOperation): Explanation {
  return explain((ask) => findDeniedRead(rules, operation, ask));
}

/**
 * Why a write is allowed or not: the walk of `isWriteAllowed`, with traces of the rules that it asks. Refuses with
 * `write/too-big` as it does.
 */
export function explainWrite(rules: RuleSet, operation: WriteOperation): Explanation {
  return explain((ask) => findDeniedWrite(rules, operation, ask));
}

/** Most rules that are traced, beside the one that decides: a write of very many values asks as many. */
const MAX_TRACES = 1000;

/** Steps of all traces together at which no other rule is traced. */
const MAX_STEPS = 100_000;

/** A rule that was asked, in which scope, and with how much work left. */
interface Asked {
  readonly rule: Rule;
  readonly scope: Scope;
  readonly work: number;
  readonly holds: boolean;
  /** `null` beyond the bounds of what is traced. */
  readonly trace: RuleTrace | null;
}

function explain(walk: (ask: EvaluateRule) => Path | null): Explanation {
  const rules: RuleTrace[] = [];
  const candidates = new Candidates();
  let steps = 0;
  const denied = walk((rule, passing) => {
    const work = passing.work?.left ?? MAX_WORK;
    const isTraced = rules.length < MAX_TRACES && steps < MAX_STEPS;
    const scope = { ...passing, path: pathOf([...passing.path]) };
    const trace = isTraced ? traceOf(rule, scope) : null;
    if (trace !== null) {
      steps += countSteps(trace.step);
      rules.push(trace);
    }
    const holds = trace?.holds ?? rule.evaluate(scope) === true;
    candidates.add({ rule, scope, work, holds, trace });
    return holds;
  });
  const decisive = denied === null ? candidates.findGranting() : candidates.findRefusing(denied);
  const deciding = decisive === undefined ? null : (decisive.trace ?? traceAgain(decisive));
  if (deciding !== null && decisive?.trace === null) rules.push(deciding);
  return {
    isAllowed: denied === null,
    refused: denied === null ? null : pathText(denied),
    rules,
    deciding,
  };
}

/** Those of the rules asked that may have decided. There may have been millions. */
class Candidates {
  #last: Asked | undefined;
  #granting: Asked | undefined;
  /** By levels below the root, the last that was asked whether it grants. */
  readonly #byDepth: (Asked | undefined)[] = [];

  add(asked: Asked): void {
    this.#last = asked;
    const { kind, location } = asked.rule;
    if (kind === 'validate') return;
    this.#byDepth[location.length] = asked;
    if (asked.holds) this.#granting = asked;
  }

  findGranting(): Asked | undefined {
    return this.#granting;
  }

  /** The walk ends at the first invalid place; where nothing grants, the deepest rule came nearest to it. */
  findRefusing(denied: Path): Asked | undefined {
    if (this.#last?.rule.kind === 'validate') return this.#last;
    return this.#byDepth.findLast((asked) => asked !== undefined && isAtOrAbove(locationOf(asked), denied));
  }
}

/** With as much work left as there was. */
function traceAgain({ rule, scope, work }: Asked): RuleTrace {
  return traceOf(rule, { ...scope, work: new WorkBudget(work) });
}

function locationOf({ rule, scope }: Pick<Asked, 'rule' | 'scope'>): Path {
  return pathOf(scope.path.slice(0, rule.location.length));
}

function traceOf(rule: Rule, scope: Scope): RuleTrace {
  return traceRule(rule, scope, pathText(locationOf({ rule, scope })));
}

function countSteps({ steps }: TraceStep): number {
  return steps.reduce((count, step) => count + countSteps(step), 1);
}

function pathText(evaluatedPath: Path): string {
  return `/${formatPath(evaluatedPath)}`;
}
