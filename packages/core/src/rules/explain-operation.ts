import { formatPath, isAtOrAbove, type Path, pathOf } from '../tree/path.ts';
import type { ReadOperation, WriteOperation } from './operation.ts';
import type { Rule, RuleSet } from './rule-set.ts';
import { MAX_RULES_ASKED, tooManyRules } from './rules-asked.ts';
import type { Scope } from './scope.ts';
import type { Explanation, RuleTrace, TraceStep } from './trace.ts';
import { traceRule } from './trace-rule.ts';
import { type Ask, findRefusedRead, findRefusedWrite } from './walk-rules.ts';

/** Why a read is allowed or not: the walk of `isReadAllowed`, with traces of the rules that it asks. */
export function explainRead(rules: RuleSet, operation: ReadOperation): Explanation {
  return explain((ask) => findRefusedRead(rules, operation, ask));
}

/**
 * Why a write is allowed or not: the walk of `isWriteAllowed`, with traces of the rules that it asks. Refuses with
 * `write/too-big` as it does.
 */
export function explainWrite(rules: RuleSet, operation: WriteOperation): Explanation {
  return explain((ask) => findRefusedWrite(rules, operation, ask));
}

/** Most rules that are traced, beside the one that decides: a write of very many values asks as many. */
const MAX_TRACES = 1000;

/** Steps of all traces together at which no other rule is traced. */
const MAX_STEPS = 100_000;

/** A rule that was asked, and in which scope. */
interface Asked {
  readonly rule: Rule;
  readonly scope: Scope;
  readonly holds: boolean;
  /** `null` beyond the bounds of what is traced. */
  readonly trace: RuleTrace | null;
}

function explain(walk: (ask: Ask) => Path | null): Explanation {
  const asked: Asked[] = [];
  let steps = 0;
  const refused = walk((rule, passing) => {
    if (asked.length === MAX_RULES_ASKED) throw tooManyRules();
    const scope = { ...passing, path: pathOf([...passing.path]) };
    const trace = asked.length < MAX_TRACES && steps < MAX_STEPS ? traceOf(rule, scope) : null;
    if (trace !== null) steps += countSteps(trace.step);
    const holds = trace?.holds ?? rule.evaluate(scope) === true;
    asked.push({ rule, scope, holds, trace });
    return holds;
  });
  const decisive = refused === null ? findGranting(asked) : findRefusing(asked, refused);
  const deciding = decisive === undefined ? null : (decisive.trace ?? traceOf(decisive.rule, decisive.scope));
  const rules = asked.flatMap(({ trace }) => trace ?? []);
  if (deciding !== null && decisive?.trace === null) rules.push(deciding);
  return {
    isAllowed: refused === null,
    refused: refused === null ? null : placeText(refused),
    rules,
    deciding,
  };
}

function findGranting(asked: readonly Asked[]): Asked | undefined {
  return asked.findLast(({ rule, holds }) => rule.kind !== 'validate' && holds);
}

/** The walk ends at the first invalid place; where nothing grants, the deepest rule came nearest to it. */
function findRefusing(asked: readonly Asked[], refused: Path): Asked | undefined {
  const last = asked.at(-1);
  if (last?.rule.kind === 'validate') return last;
  const onTheWay = asked.filter((each) => isAtOrAbove(placeOf(each), refused));
  return onTheWay.toSorted((a, b) => a.rule.location.length - b.rule.location.length).at(-1);
}

function placeOf({ rule, scope }: Pick<Asked, 'rule' | 'scope'>): Path {
  return pathOf(scope.path.slice(0, rule.location.length));
}

function traceOf(rule: Rule, scope: Scope): RuleTrace {
  return traceRule(rule, scope, placeText(placeOf({ rule, scope })));
}

function countSteps({ steps }: TraceStep): number {
  return steps.reduce((count, step) => count + countSteps(step), 1);
}

function placeText(place: Path): string {
  return `/${formatPath(place)}`;
}
