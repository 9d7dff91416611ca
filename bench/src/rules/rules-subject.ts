import { isReadAllowed, isWriteAllowed } from '@hearth/core/rules/decide-operation.ts';
import { proposedView } from '@hearth/core/rules/merged-view.ts';
import { NodeTree } from '@hearth/core/rules/node-tree.ts';
import { parseRules } from '@hearth/core/rules/parse-rules.ts';
import { NO_QUERY } from '@hearth/core/rules/query-variables.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import { parseDraft } from '@hearth/core/tree/draft.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { parsePathSegments } from '@hearth/core/tree/path.ts';
import { isAllowedByHand } from './by-hand.ts';
import { CHAT_NOW_MS, type ChatCase, type ChatValue, chatData } from './chat-case.ts';
import { CHAT_RULES } from './chat-rules.ts';

/** The chat's data, as rules read them. */
const TREE = new NodeTree(toNode(chatData(), 0));

/** The chat's rules, with so many more locations that nobody goes to beside each of theirs, as short as rules may be. */
export function chatRuleSet(siblings: number): RuleSet {
  return parseRules(JSON.stringify({ rules: withSiblings(CHAT_RULES, siblings) }));
}

/** Makes the decision of one case by the rules. */
export function prepareByRules(rules: RuleSet, chatCase: ChatCase): () => boolean {
  const auth = chatCase.uid === null ? null : { uid: chatCase.uid };
  const path = parsePathSegments(chatCase.path);
  const common = { auth, now: CHAT_NOW_MS, tree: TREE };
  if (chatCase.kind === 'read') return () => isReadAllowed(rules, { ...common, path, query: NO_QUERY });
  const node = toNode(chatCase.value, path.length);
  return () => isWriteAllowed(rules, { ...common, writes: [{ kind: 'node', path, node }] });
}

/** Makes the same decision by a function made for it. */
export function prepareByHand(chatCase: ChatCase): () => boolean {
  const path = parsePathSegments(chatCase.path);
  const common = { uid: chatCase.uid, path, tree: TREE, now: CHAT_NOW_MS };
  if (chatCase.kind === 'read') return () => isAllowedByHand({ ...common, after: null });
  const node = toNode(chatCase.value, path.length);
  return () => isAllowedByHand({ ...common, after: proposedView(TREE, [{ kind: 'node', path, node }]) });
}

function toNode(value: ChatValue, depth: number): TreeNode | null {
  const draft = parseDraft(value, depth);
  if (draft.kind === 'pending') throw new Error('The chat has no placeholders.');
  return draft.node;
}

type Rules = { readonly [name: string]: string | Rules };

function withSiblings(rules: Rules, count: number): Rules {
  const locations = Object.entries(rules).map(([name, value]) => [
    name,
    typeof value === 'object' ? withSiblings(value, count) : value,
  ]);
  const siblings = Array.from({ length: count }, (_, index) => [`x${index}`, {}]);
  const isLeaf = locations.every(([, value]) => typeof value !== 'object');
  return Object.fromEntries(isLeaf ? locations : [...locations, ...siblings]);
}
