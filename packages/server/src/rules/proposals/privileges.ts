import type { Rule, RuleNode, RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { type Expression, subExpressions } from '@hearth/core/rules/syntax/expression.ts';
import { MAX_DEPTH, type Path } from '@hearth/core/tree/path.ts';

/** The keys of a path that a rule reads; `null` for a key that is not known before the rule is evaluated. */
type ReadPattern = readonly (string | null)[];

/**
 * Returns whether the rules decide on users by data at, above or below a path, so that a user who may write there could
 * grant themselves rights. A record that names its author does not count, because the author has rights to that record
 * only. Below a user's own ID, everything that rules read counts.
 */
export function decidesOnUsers(rules: RuleSet, path: Path, uid: string): boolean {
  const isOwn = path.some((key) => key === uid);
  return rulesBelow(rules.root)
    .filter(({ expression }) => mentions(expression, 'auth'))
    .some((rule) => readPatterns(rule, isOwn).some((pattern) => overlaps(pattern, path)));
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

/** Returns the paths that a rule reads: all, or only those that begin at the root or have the user ID as a key. */
function readPatterns({ expression, location }: Rule, isAll: boolean): readonly ReadPattern[] {
  const found: ReadPattern[] = [];
  const collect = (e: Expression): void => {
    // `data` and `root` by themselves are the start of a path and read nothing.
    const isRead = e.kind !== 'variable' && (isAll || mentions(e, 'auth') || mentions(e, 'root'));
    const pattern = isRead ? patternOf(e, location) : undefined;
    if (pattern !== undefined) found.push(pattern);
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
  if (above === undefined || above.length > MAX_DEPTH) return undefined;
  if (name === 'parent') return above.slice(0, -1);
  if ((name === 'child' || name === 'hasChild') && argument !== undefined)
    return [...above, ...keysOf(argument)];
  return undefined;
}

/** Returns the keys in the argument of `child`, such as `'users/' + auth.uid + '/role'`. */
function keysOf(argument: Expression): ReadPattern {
  const text = textOf(argument);
  return text
    .split('/', MAX_DEPTH + 1)
    .filter((key) => key !== '')
    .map((key) => (key.includes(UNKNOWN) ? null : key));
}

/** Stands for a text that is not known. It cannot occur in a key. */
const UNKNOWN = '#';

function textOf(e: Expression): string {
  if (e.kind === 'literal') return String(e.value);
  return e.kind === 'binary' && e.operator === '+' ? textOf(e.left) + textOf(e.right) : UNKNOWN;
}
