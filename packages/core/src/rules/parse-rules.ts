import { Refusal } from '../fault/refusal.ts';
import { type Key, parseKey } from '../tree/key.ts';
import { MAX_DEPTH } from '../tree/path.ts';
import { utf8Length } from '../tree/utf8-length.ts';
import { checkPatternSizes } from './check-pattern-sizes.ts';
import { completeRuleNode } from './complete-rule-node.ts';
import { didYouMean } from './nearest-name.ts';
import { parseIndexOn } from './parse-index-on.ts';
import { parseRule } from './parse-rule.ts';
import { formatProblems, type Problem } from './problem.ts';
import { quote, quoteName } from './quote.ts';
import type { Report } from './report.ts';
import type { Capture, Rule, RuleKind, RuleNode, RuleSet } from './rule-set.ts';
import { type DocumentValue, type Property, parseRulesDocument, RulesSyntaxError } from './rules-document.ts';

/** Longest rules document, in bytes of UTF-8. */
export const MAX_RULES_BYTES = 262_144;

/** What the hosted service's sentence about a name is about. */
const FORBIDDEN_SIGN = /[.#$/[\]]/;
const INVALID_NAME = 'String can\'t contain ".", "#", "$", "/", "[", or "]"';

const RULE_NAMES: ReadonlyMap<string, RuleKind> = new Map([
  ['.read', 'read'],
  ['.write', 'write'],
  ['.validate', 'validate'],
]);

const DOT_NAMES: readonly string[] = [...RULE_NAMES.keys(), '.indexOn'];

export type ReadRules =
  | { readonly kind: 'rules'; readonly rules: RuleSet }
  /** In no order. */
  | { readonly kind: 'wrong'; readonly problems: readonly Problem[] };

/**
 * Reads an uploaded rules document. Refuses with `rules/invalid`; the detail has one line `line:column: message`
 * per problem. Whatever this language does not know is a problem and never a permission.
 */
export function parseRules(source: string): RuleSet {
  const read = readRules(source);
  if (read.kind === 'wrong') throw new Refusal('rules/invalid', formatProblems(source, read.problems));
  return read.rules;
}

/** Reads a rules document that may be wrong: every problem is found, unless it is no JSON or too long. */
export function readRules(source: string): ReadRules {
  const problems: Problem[] = [];
  const report: Report = (offset, message, hint) => problems.push({ offset, message, hint });
  const root = readRoot(source, report);
  return problems.length > 0 ? { kind: 'wrong', problems } : { kind: 'rules', rules: { source, root } };
}

function readRoot(source: string, report: Report): RuleNode {
  if (utf8Length(source) > MAX_RULES_BYTES) {
    report(0, `The rules are longer than ${MAX_RULES_BYTES / 1024} KB.`);
    return NO_RULES;
  }
  try {
    const root = parseTop(parseRulesDocument(source), report);
    checkPatternSizes(root, report);
    return root;
  } catch (cause) {
    if (!(cause instanceof RulesSyntaxError)) throw cause;
    report(cause.offset, cause.message);
    return NO_RULES;
  }
}

const NO_RULES: RuleNode = {
  read: null,
  write: null,
  validate: null,
  hasValidate: false,
  validated: [],
  indexOn: [],
  children: new Map(),
  capture: null,
};

function parseTop(document: DocumentValue, report: Report): RuleNode {
  if (document.kind !== 'object') {
    report(document.offset + 1, "Expected 'rules' property.");
    return NO_RULES;
  }
  for (const { name, offset } of document.properties)
    if (name !== 'rules') report(offset, `Expected 'rules' property. Unknown property ${quote(name)}.`);
  const [rules, duplicate] = document.properties.filter(({ name }) => name === 'rules');
  if (rules === undefined) {
    report(document.offset + 1, "Expected 'rules' property.");
    return NO_RULES;
  }
  if (duplicate !== undefined) report(duplicate.offset, 'The property "rules" occurs twice.');
  return parseNode(rules.value, [], report);
}

/** `location` are the names from the root to the node, captures with their `$`. */
function parseNode(value: DocumentValue, location: readonly string[], report: Report): RuleNode {
  if (value.kind !== 'object') {
    report(value.offset, "Expected '{'.");
    return NO_RULES;
  }
  if (location.length > MAX_DEPTH) {
    report(value.offset, `The rules are nested deeper than ${MAX_DEPTH} levels.`);
    return NO_RULES;
  }
  const rules = new Map<RuleKind, Rule | null>();
  let indexOn: readonly string[] = [];
  const children = new Map<Key, RuleNode>();
  let capture: Capture | null = null;
  const names = new Set<string>();
  for (const property of value.properties) {
    const { name, offset } = property;
    if (names.has(name)) report(offset, `The property ${quote(name)} occurs twice.`);
    names.add(name);
    const kind = RULE_NAMES.get(name);
    if (kind !== undefined) rules.set(kind, parseRule(kind, property.value, location, report));
    else if (name === '.indexOn') indexOn = parseIndexOn(property.value, report);
    else if (name.startsWith('.')) reportDotName(property, location, report);
    else if (name.startsWith('$')) {
      if (capture !== null && capture.name !== name)
        report(
          offset,
          `Cannot have multiple default rules (${quoteName(capture.name)} and ${quoteName(name)}).`,
        );
      capture = parseCapture(property, location, report);
    } else {
      const key = parseName(name, offset, report);
      const child = parseNode(property.value, [...location, name], report);
      if (key !== undefined) children.set(key, child);
    }
  }
  return completeRuleNode({
    read: rules.get('read') ?? null,
    write: rules.get('write') ?? null,
    validate: rules.get('validate') ?? null,
    indexOn,
    children,
    capture,
  });
}

function parseCapture(
  { name, offset, value }: Property,
  location: readonly string[],
  report: Report,
): Capture {
  if (location.includes(name))
    report(offset, `The name ${quote(name)} is taken by a location above this one.`);
  parseName(name.slice(1), offset, report);
  return { name, node: parseNode(value, [...location, name], report) };
}

/** A name that begins with a dot and means nothing. What is below may be wrong as well. */
function reportDotName({ name, offset, value }: Property, location: readonly string[], report: Report): void {
  const hint = (): string => didYouMean(name, DOT_NAMES);
  if (value.kind !== 'object') {
    report(value.offset, "Expected '{'.", hint);
    return;
  }
  report(offset, INVALID_NAME, hint);
  parseNode(value, [...location, name], report);
}

function parseName(text: string, offset: number, report: Report): Key | undefined {
  try {
    return parseKey(text);
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    const isHostedSentence = cause.code === 'key/invalid' && FORBIDDEN_SIGN.test(text);
    report(offset, isHostedSentence ? INVALID_NAME : cause.message);
    return undefined;
  }
}
