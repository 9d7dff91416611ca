import type { RuleNode } from './rule-set.ts';

/** Adds to a location what follows from the rest of it. */
export function completeRuleNode(node: Omit<RuleNode, 'hasValidate' | 'validated'>): RuleNode {
  const { validate, children, capture } = node;
  const validated = Array.from(children, ([key, child]) => ({ key, node: child })).filter(
    (child) => child.node.hasValidate,
  );
  const isBelow = validated.length > 0 || capture?.node.hasValidate === true;
  return { ...node, validated, hasValidate: validate !== null || isBelow };
}
