import { readRules } from '@hearth/core/rules/compile/rules.ts';
import { findChildRule, type RuleNode } from '@hearth/core/rules/evaluate/rule-set.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { type NodePath, pathOf } from '../model/node-path.ts';

export interface MissingIndex {
  /**
   * The location at which the rules need the index. A location for one node would replace the rules of a wildcard there.
   */
  readonly location: NodePath;
  /** The declared indexes, and the missing one. */
  readonly indexOn: readonly string[];
}

/** Returns the index that the text of rules lacks for an order of the children of a node; `null` if it has the index. */
export function findMissingIndex(source: string, path: NodePath, index: string): MissingIndex | null {
  const read = readRules(source);
  if (read.kind === 'wrong') return null;
  let node: RuleNode | undefined = read.rules.root;
  const names: string[] = [];
  for (const key of parsePath(path)) {
    names.push(node?.children.has(key) ? key : (node?.wildcard?.name ?? key));
    node = node && findChildRule(node, key);
  }
  const declared = node?.indexOn ?? [];
  return declared.includes(index) ? null : { location: pathOf(names), indexOn: [...declared, index] };
}
