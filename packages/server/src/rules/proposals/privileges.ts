import type { Rule, RuleNode, RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { type Expression, subExpressions } from '@hearth/core/rules/syntax/expression.ts';
import type { Path } from '@hearth/core/tree/path.ts';

/** The keys of a path that a rule reads; `null` for a key that is not known before the rule is evaluated. */
type ReadPattern = readonly (string | null)[];

/**
 * Returns whether the rules decide on users by data at, above or below a path: whether a rule that uses `auth` reads it
 * from another location. A user who may write there could grant rights to themselves.
 */
export function decidesOnUsers(rules: RuleSet, path: Path): boolean {
  return rulesBelow(rules.root)
    .filter(({ expression }) => mentions(expression, 'auth'))
    .some((rule) => readPatterns(rule).some((pattern) => overlaps(pattern, path)));
}

function rulesBelow({ read, write, validate, children, wildcard }: RuleNode): readonly Rule[] {
  const own = [read, write, validate].filter((rule) => rule !== null);
  const below = [...children.values(), ...(wildcard === null ? [] : [wildcard.node])];
  return [...own, ...below.flatMap(rulesBelow)];
}

function mentions(e: Expression, variable: string): boolean {
  return e.kind === 'variable'
    ? e.name === variable
    : subExpressions(e).some((part) => mentions(part, variable));
}

function overlaps(pattern: ReadPattern, path: Path): boolean {
  return pattern.every((key, depth) => key === null || depth >= path.length || key === path[depth]);
}

function readPatterns({ expression, location }: Rule): readonly ReadPattern[] {
  const found: ReadPattern[] = [];
  const collect = (e: Expression): void => {
    const pattern = patternOf(e, location);
    // `data` and `root` alone are where a path begins, and no read of it.
    if (pattern !== undefined && e.kind !== 'variable') found.push(pattern);
    subExpressions(e).forEach(collect);
  };
  collect(expression);
  return found;
}

/** Returns the path of a snapshot; `undefined` if the expression is no snapshot of the data before the operation. */
function patternOf(e: Expression, location: readonly string[]): ReadPattern | undefined {
  if (e.kind === 'variable') {
    if (e.name === 'root') return [];
    return e.name === 'data' ? location.map((name) => (name.startsWith('$') ? null : name)) : undefined;
  }
  if (e.kind !== 'call' || e.callee.kind !== 'member') return undefined;
  const { target, name } = e.callee;
  const [argument] = e.args;
  const above = patternOf(target, location);
  if (above === undefined) return undefined;
  if (name === 'parent') return above.slice(0, -1);
  if ((name === 'child' || name === 'hasChild') && argument !== undefined)
    return [...above, ...keysOf(argument)];
  return undefined;
}

/** Returns the keys in the argument of `child`, such as `'users/' + auth.uid + '/role'`. */
function keysOf(argument: Expression): ReadPattern {
  const text = textOf(argument);
  return text
    .split('/')
    .filter((key) => key !== '')
    .map((key) => (key.includes(UNKNOWN) ? null : key));
}

/** Stands for a text that is not known. It cannot occur in a key. */
const UNKNOWN = '#';

function textOf(e: Expression): string {
  if (e.kind === 'literal') return String(e.value);
  return e.kind === 'binary' && e.operator === '+' ? textOf(e.left) + textOf(e.right) : UNKNOWN;
}
