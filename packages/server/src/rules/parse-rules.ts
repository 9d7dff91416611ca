import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { formatPath, MAX_DEPTH, parsePath } from '@hearth/core/tree/path.ts';
import { utf8Length } from '@hearth/core/tree/utf8-length.ts';
import { formatProblems, type Problem } from './problem.ts';
import type { Condition, RuleNode, RuleSet } from './rule-set.ts';
import { type DocumentValue, parseRulesDocument, RulesSyntaxError } from './rules-document.ts';

/** Longest rules document, in bytes of UTF-8. */
export const MAX_RULES_BYTES = 262_144;

/** The whole provisional language. */
const CONDITIONS: readonly { readonly expression: RegExp; readonly condition: Condition }[] = [
  { expression: /^\s*true\s*$/, condition: 'always' },
  { expression: /^\s*false\s*$/, condition: 'never' },
  { expression: /^\s*auth\s*!=\s*null\s*$/, condition: 'signed-in' },
];

/** Orders that need no index of their own: every database has them. */
const BUILT_IN_INDEXES: ReadonlySet<string> = new Set(['.key', '.priority']);

const INVALID_NAME = 'String can\'t contain ".", "#", "$", "/", "[", or "]"';
const INVALID_INDEX = 'Invalid indexOn expression. Must be either a string or an array of strings';

/**
 * Reads an uploaded rules document. Refuses with `rules/invalid`; the detail has one line `line:column: message`
 * per problem. Whatever this language does not know is a problem and never a permission.
 */
export function parseRules(source: string): RuleSet {
  if (utf8Length(source) > MAX_RULES_BYTES)
    throw new Refusal('rules/invalid', `1:1: The rules are longer than ${MAX_RULES_BYTES / 1024} KB.\n`);
  const document = parseDocument(source);
  const checker: Checker = { problems: [], captures: [] };
  const root = parseTop(document, checker);
  if (checker.problems.length > 0) throw invalid(source, checker.problems);
  return { source, root };
}

interface Checker {
  readonly problems: Problem[];
  /** Names of the wildcards above the place that is being read. */
  readonly captures: string[];
}

const NO_RULES: RuleNode = { read: null, write: null, indexOn: [], children: new Map(), wildcard: null };

function parseDocument(source: string): DocumentValue {
  try {
    return parseRulesDocument(source);
  } catch (cause) {
    if (!(cause instanceof RulesSyntaxError)) throw cause;
    throw invalid(source, [{ offset: cause.offset, message: cause.message }], cause);
  }
}

function invalid(source: string, problems: readonly Problem[], cause?: Error): Refusal {
  return new Refusal('rules/invalid', formatProblems(source, problems), cause && { cause });
}

function parseTop(document: DocumentValue, checker: Checker): RuleNode {
  if (document.kind !== 'object') {
    report(checker, document.offset, "Expected 'rules' property.");
    return NO_RULES;
  }
  for (const { name, offset } of document.properties)
    if (name !== 'rules')
      report(checker, offset, `Expected 'rules' property. Unknown property ${quote(name)}.`);
  const found = document.properties.filter(({ name }) => name === 'rules');
  const [rules, duplicate] = found;
  if (rules === undefined) {
    report(checker, document.offset + 1, "Expected 'rules' property.");
    return NO_RULES;
  }
  if (duplicate !== undefined) report(checker, duplicate.offset, 'The property "rules" occurs twice.');
  return parseRuleNode(rules.value, 0, checker);
}

function parseRuleNode(value: DocumentValue, depth: number, checker: Checker): RuleNode {
  if (value.kind !== 'object') {
    report(checker, value.offset, "Expected '{'.");
    return NO_RULES;
  }
  if (depth > MAX_DEPTH) {
    report(checker, value.offset, `The rules are nested deeper than ${MAX_DEPTH} levels.`);
    return NO_RULES;
  }
  let read: Condition | null = null;
  let write: Condition | null = null;
  let indexOn: readonly string[] = [];
  let wildcard: { readonly name: string; readonly node: RuleNode } | null = null;
  const children = new Map<Key, RuleNode>();
  const names = new Set<string>();
  for (const property of value.properties) {
    const { name, offset } = property;
    if (names.has(name)) report(checker, offset, `The property ${quote(name)} occurs twice.`);
    names.add(name);
    if (name === '.read') read = parseCondition(name, property.value, checker);
    else if (name === '.write') write = parseCondition(name, property.value, checker);
    else if (name === '.indexOn') indexOn = parseIndexOn(property.value, checker);
    else if (name.startsWith('.')) report(checker, offset, unsupported(name));
    else if (name.startsWith('$')) {
      if (wildcard !== null && wildcard.name !== name)
        report(checker, offset, `Cannot have multiple default rules ('${wildcard.name}' and '${name}').`);
      wildcard = { name, node: parseWildcard(name, offset, property.value, depth, checker) };
    } else {
      const key = parseName(name, offset, checker);
      const child = parseRuleNode(property.value, depth + 1, checker);
      if (key !== undefined) children.set(key, child);
    }
  }
  return { read, write, indexOn, children, wildcard: wildcard?.node ?? null };
}

function parseWildcard(
  name: string,
  offset: number,
  value: DocumentValue,
  depth: number,
  checker: Checker,
): RuleNode {
  if (checker.captures.includes(name))
    report(checker, offset, `The name ${quote(name)} is taken by a location above this one.`);
  parseName(name.slice(1), offset, checker);
  checker.captures.push(name);
  const node = parseRuleNode(value, depth + 1, checker);
  checker.captures.pop();
  return node;
}

function parseCondition(name: string, value: DocumentValue, checker: Checker): Condition | null {
  if (value.kind === 'boolean') return value.value ? 'always' : 'never';
  if (value.kind !== 'string') {
    report(
      checker,
      value.offset,
      "Invalid rule expression.  Expected 'true', 'false', or an expression string.",
    );
    return null;
  }
  const known = CONDITIONS.find(({ expression }) => expression.test(value.value));
  if (known !== undefined) return known.condition;
  report(
    checker,
    value.offset,
    `The expression ${quote(value.value)} is not supported yet: ${quote(name)} accepts true, false and "auth != null".`,
  );
  return null;
}

function parseIndexOn(value: DocumentValue, checker: Checker): readonly string[] {
  if (value.kind !== 'string' && value.kind !== 'array') {
    report(checker, value.offset, INVALID_INDEX);
    return [];
  }
  const indexes = new Set<string>();
  for (const item of value.kind === 'string' ? [value] : value.items) {
    if (item.kind !== 'string') {
      report(checker, item.offset, INVALID_INDEX);
      continue;
    }
    if (BUILT_IN_INDEXES.has(item.value)) continue;
    const index = item.value === '.value' ? item.value : parseIndexPath(item.value);
    if (index !== undefined) indexes.add(index);
    else
      report(
        checker,
        item.offset,
        `The index ${quote(item.value)} is neither ".value" nor a path of child names.`,
      );
  }
  return [...indexes];
}

function parseIndexPath(text: string): string | undefined {
  try {
    return formatPath(parsePath(text)) || undefined;
  } catch (cause) {
    if (cause instanceof Refusal) return undefined;
    throw cause;
  }
}

function parseName(text: string, offset: number, checker: Checker): Key | undefined {
  try {
    return parseKey(text);
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    report(checker, offset, cause.code === 'key/too-long' || text === '' ? cause.message : INVALID_NAME);
    return undefined;
  }
}

function report(checker: Checker, offset: number, message: string): void {
  checker.problems.push({ offset, message });
}

function unsupported(name: string): string {
  return `${quote(name)} is not supported yet: a location may have ".read", ".write", ".indexOn", children and one "$" wildcard.`;
}

/** A name or expression in double quotes, on one line and cut to a readable length. */
function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
