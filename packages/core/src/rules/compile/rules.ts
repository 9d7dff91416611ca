import { RequestError } from '../../error/request-error.ts';
import { type Key, parseKey, utf8Length } from '../../tree/key.ts';
import { formatPath, MAX_DEPTH, parsePath } from '../../tree/path.ts';
import { checkRule } from '../check/rule.ts';
import {
  completeRuleNode,
  type Rule,
  type RuleKind,
  type RuleNode,
  type RuleSet,
  type Wildcard,
  wildcardsOf,
} from '../evaluate/rule-set.ts';
import {
  type DocumentValue,
  type Property,
  parseRulesDocument,
  RulesSyntaxError,
} from '../syntax/document.ts';
import { type Expression, subExpressions } from '../syntax/expression.ts';
import { parseExpression } from '../syntax/parser.ts';
import {
  didYouMean,
  ExpressionSyntaxError,
  formatProblems,
  type Problem,
  quote,
  quoteName,
  type Report,
} from '../syntax/problems.ts';
import { patternSize } from '../syntax/regular-expression.ts';
import { compileExpression } from './compiler.ts';
import { ruleCost } from './cost.ts';

/** Orders that every database supports without an index. */
const BUILT_IN_INDEXES: ReadonlySet<string> = new Set(['.key', '.priority']);

const INVALID = 'Invalid indexOn expression. Must be either a string or an array of strings';

/**
 * Returns the indexes that an `.indexOn` declares, without duplicates: `.value`, or paths without outer slashes.
 * Ignores `.key` and `.priority`, and reports all other entries.
 */
function parseIndexOn(value: DocumentValue, report: Report): readonly string[] {
  if (value.kind !== 'string' && value.kind !== 'array') {
    report(value.offset, INVALID);
    return [];
  }
  const indexes = new Set<string>();
  for (const item of value.kind === 'string' ? [value] : value.items) {
    if (item.kind !== 'string') {
      report(item.offset, INVALID);
      continue;
    }
    if (BUILT_IN_INDEXES.has(item.value)) continue;
    const index = item.value === '.value' ? item.value : parseIndexPath(item.value);
    if (index !== undefined) indexes.add(index);
    else report(item.offset, `The index ${quote(item.value)} is neither ".value" nor a path of child names.`);
  }
  return [...indexes];
}

function parseIndexPath(text: string): string | undefined {
  try {
    return formatPath(parsePath(text)) || undefined;
  } catch (cause) {
    if (cause instanceof RequestError) return undefined;
    throw cause;
  }
}

/**
 * Maximum total size of the patterns of a document, in characters with the repeats written out. It limits the memory
 * of the patterns.
 */
const MAX_TOTAL_PATTERN_SIZE = 400_000;

/** Reports the pattern at which the total size of the patterns exceeds the limit. */
function checkPatternSizes(root: RuleNode, report: Report): void {
  let total = 0;
  for (const { span, pattern } of patternsBelow(root)) {
    total += patternSize(pattern.pattern);
    if (total <= MAX_TOTAL_PATTERN_SIZE) continue;
    const bound = MAX_TOTAL_PATTERN_SIZE.toLocaleString('en');
    report(
      span.start,
      `The regular expressions up to this one have more than ${bound} characters in total, with their repeats written out. Use lower repeat counts, or test the length instead.`,
    );
    return;
  }
}

type PatternLiteral = Extract<Expression, { readonly kind: 'regular-expression' }>;

/**
 * Returns the patterns at and below a location, in this order: its own, those of its children, those of its wildcard.
 */
function patternsBelow({ read, write, validate, children, wildcard }: RuleNode): readonly PatternLiteral[] {
  const own: PatternLiteral[] = [];
  for (const rule of [read, write, validate]) if (rule !== null) collectPatterns(rule.expression, own);
  const below = [...children.values(), ...(wildcard === null ? [] : [wildcard.node])];
  return [...own, ...below.flatMap(patternsBelow)];
}

function collectPatterns(e: Expression, found: PatternLiteral[]): void {
  if (e.kind === 'regular-expression') found.push(e);
  for (const part of subExpressions(e)) collectPatterns(part, found);
}

/**
 * Returns the rule in a value of a rules document. Reports problems and returns `null` if it is not a valid
 * rule. `location` has the names from the root to the rule; wildcards include their `$`.
 */
function parseRule(
  kind: RuleKind,
  value: DocumentValue,
  location: readonly string[],
  report: Report,
): Rule | null {
  const expression = parseExpressionOf(value, report);
  if (expression === null) return null;
  const problems = checkRule(kind, expression, wildcardsOf(location));
  for (const { offset, message, hint } of problems) report(offset, message, hint);
  // An expression with type problems has no meaning.
  if (problems.length > 0) return null;
  return {
    kind,
    location,
    expression,
    evaluate: compileExpression(expression, location),
    cost: ruleCost(expression),
  };
}

function parseExpressionOf(value: DocumentValue, report: Report): Expression | null {
  if (value.kind === 'boolean') {
    const span = { start: value.offset, end: value.offset + String(value.value).length };
    return { kind: 'literal', span, value: value.value };
  }
  if (value.kind !== 'string') {
    report(value.offset, "Invalid rule expression.  Expected 'true', 'false', or an expression string.");
    return null;
  }
  try {
    return parseExpression(value.value, value.locate);
  } catch (cause) {
    if (!(cause instanceof ExpressionSyntaxError)) throw cause;
    report(cause.offset, cause.message);
    return null;
  }
}

/** Maximum length of a rules document, in bytes of UTF-8. */
export const MAX_RULES_BYTES = 262_144;

/** The characters that the hosted service's message about names mentions. */
const FORBIDDEN_CHARACTER = /[.#$/[\]]/;
const INVALID_NAME = 'String can\'t contain ".", "#", "$", "/", "[", or "]"';

const RULE_NAMES: ReadonlyMap<string, RuleKind> = new Map([
  ['.read', 'read'],
  ['.write', 'write'],
  ['.validate', 'validate'],
]);

const DOT_NAMES: readonly string[] = [...RULE_NAMES.keys(), '.indexOn'];

export type ReadRules =
  | { readonly kind: 'rules'; readonly rules: RuleSet }
  /** The problems are in no particular order. */
  | { readonly kind: 'wrong'; readonly problems: readonly Problem[] };

/**
 * Parses an uploaded rules document. Throws `rules/invalid`, with one line `line:column: message` per problem
 * as the detail. An unknown construct is always a problem and never a permission.
 */
export function parseRules(source: string): RuleSet {
  const read = readRules(source);
  if (read.kind === 'wrong') throw new RequestError('rules/invalid', formatProblems(source, read.problems));
  return read.rules;
}

/**
 * Parses a rules document that may be invalid. Returns every problem, or only one if the text is not JSON or
 * is too long.
 */
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
  wildcard: null,
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

/** Parses a location of the rules. `location` has the names from the root; wildcards include their `$`. */
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
  let wildcard: Wildcard | null = null;
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
      if (wildcard !== null && wildcard.name !== name)
        report(
          offset,
          `Cannot have multiple default rules (${quoteName(wildcard.name)} and ${quoteName(name)}).`,
        );
      wildcard = parseWildcard(property, location, report);
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
    wildcard,
  });
}

function parseWildcard(
  { name, offset, value }: Property,
  location: readonly string[],
  report: Report,
): Wildcard {
  if (location.includes(name))
    report(offset, `The name ${quote(name)} is already used by a location above this one.`);
  parseName(name.slice(1), offset, report);
  return { name, node: parseNode(value, [...location, name], report) };
}

/** Reports an unknown name that begins with a dot. Also reports problems below it. */
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
    if (!(cause instanceof RequestError)) throw cause;
    const isHostedSentence = cause.code === 'key/invalid' && FORBIDDEN_CHARACTER.test(text);
    report(offset, isHostedSentence ? INVALID_NAME : cause.message);
    return undefined;
  }
}
