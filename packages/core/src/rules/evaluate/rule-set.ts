import { parseIndex } from '../../query/fields.ts';
import type { QueryIndex } from '../../query/query.ts';
import type { Key } from '../../tree/key.ts';
import type { Expression } from '../syntax/expression.ts';
import type { Scope } from './scope.ts';
import type { RuleValue } from './values.ts';

export type RuleKind = 'read' | 'write' | 'validate';

export type Evaluate = (scope: Scope) => RuleValue;

/** One `.read`, `.write` or `.validate`. */
export interface Rule {
  readonly kind: RuleKind;
  /** Names from the root of the rules to the rule's location, captures with their `$`. */
  readonly location: readonly string[];
  readonly expression: Expression;
  /** The rule holds if this is `true`. Allocates nothing that it need not. */
  readonly evaluate: Evaluate;
  /** Units of work that asking it costs, as `ruleCost` counts them. */
  readonly cost: number;
}

/** The rule for every child that has none of its own, written `$name`. */
export interface Wildcard {
  readonly name: string;
  readonly node: RuleNode;
}

/** A child of a location with a `.validate` at or below it. */
export interface ValidatedChild {
  readonly key: Key;
  readonly node: RuleNode;
}

/** One location of the rules document. */
export interface RuleNode {
  readonly read: Rule | null;
  readonly write: Rule | null;
  readonly validate: Rule | null;
  /** Is there a `.validate` here or anywhere below? */
  readonly hasValidate: boolean;
  /** `.value` or child paths, as `.indexOn` lists them. */
  readonly indexOn: readonly string[];
  readonly children: ReadonlyMap<Key, RuleNode>;
  readonly wildcard: Wildcard | null;
  readonly validated: readonly ValidatedChild[];
}

/** The rules of one database, ready to decide. */
export interface RuleSet {
  /** As uploaded, comments and white space included. */
  readonly source: string;
  readonly root: RuleNode;
}

/** The names of the captures of a location, with their `$`. */
export function wildcardsOf(location: readonly string[]): readonly string[] {
  return location.filter((name) => name.startsWith('$'));
}

/** Adds to a location what follows from the rest of it. */
export function completeRuleNode(node: Omit<RuleNode, 'hasValidate' | 'validated'>): RuleNode {
  const { validate, children, wildcard } = node;
  const validated = Array.from(children, ([key, child]) => ({ key, node: child })).filter(
    (child) => child.node.hasValidate,
  );
  const isBelow = validated.length > 0 || wildcard?.node.hasValidate === true;
  return { ...node, validated, hasValidate: validate !== null || isBelow };
}

/** A name's own rules, else the capture's: there is no way back to the capture from inside a name's own rules. */
export function findChildRule(node: RuleNode, key: Key): RuleNode | undefined {
  // A location with a capture seldom has anything else: looking for nothing costs as much as finding something.
  const own = node.children.size === 0 ? undefined : node.children.get(key);
  return own ?? node.wildcard?.node;
}

/** The location of the rules that matches a whole path. */
export function findRuleNode(rules: RuleSet, path: readonly Key[]): RuleNode | undefined {
  let node: RuleNode | undefined = rules.root;
  for (const key of path) {
    node = findChildRule(node, key);
    if (node === undefined) return undefined;
  }
  return node;
}

const NO_INDEXES: readonly string[] = [];

/** The indexes that the rules declare for the children of the node at `path`: `.value` or child paths. */
export function indexOnAt(rules: RuleSet, path: readonly Key[]): readonly string[] {
  return findRuleNode(rules, path)?.indexOn ?? NO_INDEXES;
}

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
  if (node.wildcard !== null) collectDeclarations(node.wildcard.node, [...pattern, null], into);
}
