import { Refusal } from '@hearth/core/fault/refusal.ts';
import { isWriteAllowed } from '@hearth/core/rules/decide-operation.ts';
import { findChildRule } from '@hearth/core/rules/find-rule.ts';
import { mentionsNewData } from '@hearth/core/rules/mentions-new-data.ts';
import type { RuleNode, RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import { mustNotOnlyLook } from '../identity/must-not-only-look.ts';
import { onlyLooks } from '../identity/only-looks.ts';
import { nodeWrite } from '../log/commit.ts';
import type { Asker } from './asker.ts';
import type { Database } from './database.ts';
import { tellVerdict, writeOperation } from './permission.ts';

/**
 * Can rules decide on replacing the node at `path` without seeing what it is replaced by? They can unless a `.validate` may
 * apply, or a `.write` on the way asks for `newData`.
 */
export function mayBeUnseen(rules: RuleSet, path: Path, identity: Identity): boolean {
  // Who may only look is refused before anything is read.
  if (identity.kind === 'admin' || onlyLooks(identity)) return true;
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
 * would have to look refuse it: nobody is allowed to begin such a write, but rules may change before it ends. It is asked when
 * the write begins, and again when it ends; only the verdict that counts is told.
 */
export function mustBeUnseenWritable(
  turn: Turn,
  database: Database,
  asker: Asker,
  paths: readonly Path[],
  moment: 'begin' | 'end',
): void {
  const { identity } = asker;
  if (identity.kind === 'admin') return;
  mustNotOnlyLook(identity);
  if (!paths.every((path) => mayBeUnseen(database.rules, path, identity))) throw new Refusal('access/denied');
  const writes = paths.map((path) => nodeWrite(path, null));
  const timeMs = turn.commitTimeMs(database.name);
  const write = writeOperation(identity, { tree: database.tree(turn), writes, timeMs });
  const isAllowed = isWriteAllowed(database.rules, write);
  if (!isAllowed || moment === 'end')
    tellVerdict(turn, database, asker, { kind: 'write', write }, isAllowed, true);
  if (!isAllowed) throw new Refusal('access/denied');
}

function asksForNewData({ write, validate }: RuleNode): boolean {
  return validate !== null || (write !== null && mentionsNewData(write.expression));
}
