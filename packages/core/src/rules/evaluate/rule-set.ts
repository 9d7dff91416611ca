import { parseIndex } from '../../query/fields.ts';
import type { QueryIndex } from '../../query/query.ts';
import type { Key } from '../../tree/key.ts';
import type { Expression } from '../syntax/expression.ts';
import type { Scope } from './scope.ts';
import type { RuleValue } from './values.ts';

export type RuleKind = 'read' | 'write' | 'validate';

export type Evaluate = (scope: Scope) => RuleValue;

/** One `.read`, `.write` or `.validate` rule. */
export interface Rule {
  readonly kind: RuleKind;
  /** Names from the root of the rules to the rule's location. Wildcards include their `$`. */
  readonly location: readonly string[];
  readonly expression: Expression;
  /** Evaluates the rule. The rule holds if the result is `true`. */
  readonly evaluate: Evaluate;
  /** Units of work that one evaluation costs, as `ruleCost` counts them. */
  readonly cost: number;
}

/** The rules below a `$name` key. They apply to every child that has no location of its own in the rules. */
export interface Wildcard {
  readonly name: string;
  readonly node: RuleNode;
}

/** One location of the rules document. */
export interface RuleNode {
  readonly read: Rule | null;
  readonly write: Rule | null;
  readonly validate: Rule | null;
  /** Whether this location or any location below it has a `.validate`. */
  readonly hasValidate: boolean;
  /** `.value` or child paths, as `.indexOn` lists them. */
  readonly indexOn: readonly string[];
  readonly children: ReadonlyMap<Key, RuleNode>;
  readonly wildcard: Wildcard | null;
  /** The keys of the children that have a `.validate` at or below them, without the wildcard. */
  readonly validated: readonly Key[];
}

/** The compiled rules of one database. */
export interface RuleSet {
  /** The document as uploaded, including comments and white space. */
  readonly source: string;
  readonly root: RuleNode;
}

/** Returns the names of the wildcards in a location, including their `$`. */
export function wildcardsOf(location: readonly string[]): readonly string[] {
  return location.filter((name) => name.startsWith('$'));
}

/** Returns a location with its derived properties. */
export function completeRuleNode(node: Omit<RuleNode, 'hasValidate' | 'validated'>): RuleNode {
  const { validate, children, wildcard } = node;
  const validated = [...children].flatMap(([key, child]) => (child.hasValidate ? [key] : []));
  const hasValidateBelow = validated.length > 0 || wildcard?.node.hasValidate === true;
  return { ...node, validated, hasValidate: validate !== null || hasValidateBelow };
}

/**
 * Returns the rules of the child `key`, or those of the wildcard when the child has none. Below a child that
 * has its own rules, the rules of the wildcard never apply.
 */
export function findChildRule(node: RuleNode, key: Key): RuleNode | undefined {
  // A location with a wildcard seldom has other children, and a failed lookup costs as much as a successful
  // one. The size check avoids the lookup.
  const own = node.children.size === 0 ? undefined : node.children.get(key);
  return own ?? node.wildcard?.node;
}

/** Returns the location of the rules that matches the whole path. */
export function findRuleNode(rules: RuleSet, path: readonly Key[]): RuleNode | undefined {
  let node: RuleNode | undefined = rules.root;
  for (const key of path) {
    node = findChildRule(node, key);
    if (node === undefined) return undefined;
  }
  return node;
}

const NO_INDEXES: readonly string[] = [];

/**
 * Returns the indexes that the rules declare for the children of the node at `path`: `.value` or child paths.
 */
export function indexOnAt(rules: RuleSet, path: readonly Key[]): readonly string[] {
  return findRuleNode(rules, path)?.indexOn ?? NO_INDEXES;
}

/**
 * The indexes that one location of the rules declares. The list may be empty, because a location without
 * indexes still shadows a wildcard.
 */
export interface IndexDeclaration {
  /**
   * Keys from the root. `null` is a wildcard: it matches every key that has no sibling location of its own.
   */
  readonly pattern: readonly (Key | null)[];
  readonly indexes: readonly QueryIndex[];
}

/**
 * Returns every location of the rules with the indexes it declares. Returns an empty list when no location
 * declares an index.
 */
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
