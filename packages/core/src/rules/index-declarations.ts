import { parseIndex, type QueryIndex } from '../query/query.ts';
import type { Key } from '../tree/key.ts';
import type { RuleNode, RuleSet } from './rule-set.ts';

/** The indexes that a location of the rules declares; possibly none, as such a location still shadows a capture. */
export interface IndexDeclaration {
  /** Keys from the root; `null` for a capture, which stands for every key without a sibling of its own. */
  readonly pattern: readonly (Key | null)[];
  readonly indexes: readonly QueryIndex[];
}

/** Every location of the rules with the indexes it declares; none at all if no location declares any. */
export function indexDeclarations(rules: RuleSet): readonly IndexDeclaration[] {
  const declarations: IndexDeclaration[] = [];
  collectDeclarations(rules.root, [], declarations);
  return declarations.some(({ indexes }) => indexes.length > 0) ? declarations : [];
}

function collectDeclarations(
  node: RuleNode,
  pattern: IndexDeclaration['pattern'],
  into: IndexDeclaration[],
): void {
  into.push({ pattern, indexes: node.indexOn.map((name) => parseIndex(name)) });
  for (const [key, child] of node.children) collectDeclarations(child, [...pattern, key], into);
  if (node.capture !== null) collectDeclarations(node.capture.node, [...pattern, null], into);
}
