import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Expression } from '@hearth/core/rules/expression.ts';
import { findChildRule } from '@hearth/core/rules/find-rule.ts';
import type { RuleNode, RuleSet } from '@hearth/core/rules/rule-set.ts';
import { subExpressions } from '@hearth/core/rules/sub-expressions.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import { nodeWrite } from '../log/commit.ts';
import type { Asker } from './asker.ts';
import type { Database } from './database.ts';
import { mustBeWritable } from './permission.ts';

/**
 * Can rules decide on replacing the node at `path` without seeing what it is replaced by? They can unless a `.validate` may
 * apply, or a `.write` on the way asks for `newData`.
 */
export function mayBeUnseen(rules: RuleSet, path: Path, identity: Identity): boolean {
  if (identity.kind === 'admin') return true;
  let node: RuleNode | undefined = rules.root;
  for (const key of path) {
    if (asksForNewData(node)) return false;
    node = findChildRule(node, key);
    if (node === undefined) return true;
  }
  return !node.hasValidate && !asksForNewData(node);
}

/**
 * Refuses with `access/denied` unless the nodes at these paths may be replaced together by what is not looked at. Rules that
 * would have to look refuse it: nobody is allowed to begin such a write, but rules may change before it ends.
 */
export function mustBeUnseenWritable(
  turn: Turn,
  database: Database,
  asker: Asker,
  paths: readonly Path[],
): void {
  if (!paths.every((path) => mayBeUnseen(database.rules, path, asker.identity)))
    throw new Refusal('access/denied');
  const writes = paths.map((path) => nodeWrite(path, null));
  mustBeWritable(turn, database, asker, writes, turn.commitTimeMs(database.name));
}

function asksForNewData({ write, validate }: RuleNode): boolean {
  return validate !== null || (write !== null && mentionsNewData(write.expression));
}

function mentionsNewData(expression: Expression): boolean {
  return expression.kind === 'variable'
    ? expression.name === 'newData'
    : subExpressions(expression).some(mentionsNewData);
}
