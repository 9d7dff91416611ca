import { compileExpression } from '@hearth/core/rules/compile/compiler.ts';
import { ruleCost } from '@hearth/core/rules/compile/cost.ts';
import type { Rule, RuleKind } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { QueryVariables } from '@hearth/core/rules/evaluate/values.ts';
import type { Expression } from '@hearth/core/rules/syntax/expression.ts';
import { parsePrintedExpression } from '@hearth/core/rules/syntax/parser.ts';
import { printExpression } from '@hearth/core/rules/syntax/printer.ts';
import {
  type Denial,
  type DeniedIdentity,
  failedRules,
  type RecordedDenial,
  type StoredRule,
  type StoredStep,
} from './denial.ts';
import { parseJsonWithDoubles, printJsonWithDoubles, replaceConditions, spanName } from './redact.ts';

/**
 * Returns a lower bound for the length of a value as JSON, in UTF-16 code units. Stops counting at `limit`, so
 * that the cost is bounded for a value of any size.
 */
export function jsonSize(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length + '""'.length;
  if (typeof value !== 'object' || value === null) return 1;
  let units = '{}'.length;
  for (const key in value) {
    if (units >= limit) break;
    const member: unknown = Reflect.get(value, key);
    if (member === undefined) continue;
    if (!Array.isArray(value)) units += key.length + '"":'.length;
    units += jsonSize(member, limit - units);
  }
  return units;
}

/**
 * Returns a text that takes at most `maxBytes` bytes as JSON, quotes included. A longer text is truncated and
 * ends in `…`.
 */
function cutText(text: string, maxBytes: number): string {
  // The rest of a long text is never read.
  if (text.length <= maxBytes && jsonBytes(text) <= maxBytes) return text;
  let length = Math.min(text.length, maxBytes);
  while (length > 0 && jsonBytes(cutAt(text, length)) > maxBytes) length = Math.floor(length * 0.8);
  return cutAt(text, length);
}

/** Returns the start of a text, followed by `…`. Replaces half of a surrogate pair at the cut. */
function cutAt(text: string, length: number): string {
  return `${text.slice(0, length).toWellFormed()}…`;
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** A rule without its document: the spans of its expression are positions in `text`. */
export interface PrintedRule {
  readonly text: string;
  readonly rule: Rule;
}

const PRINTED_RULES = new WeakMap<Rule, PrintedRule>();

/** Returns a rule without its document. Returns the same object for each call with the same rule. */
export function printRule(rule: Rule): PrintedRule {
  const known = PRINTED_RULES.get(rule);
  if (known !== undefined) return known;
  const printed = parsePrintedRule(rule.kind, rule.location, printExpression(rule.expression));
  PRINTED_RULES.set(rule, printed);
  return printed;
}

/** Parses a rule that was printed by `printRule`. */
export function parsePrintedRule(kind: RuleKind, location: readonly string[], text: string): PrintedRule {
  const expression = parsePrintedExpression(text);
  return { text, rule: ruleOf(kind, location, expression) };
}

export function ruleOf(kind: RuleKind, location: readonly string[], expression: Expression): Rule {
  return {
    kind,
    location,
    expression,
    evaluate: compileExpression(expression, location),
    cost: ruleCost(expression),
  };
}

/** Maximum size of a stored entry in bytes. */
export const MAX_ENTRY_BYTES = 16_384;

/** Maximum sizes of the texts of an entry that is cut to its decision, in bytes as JSON. */
const MAX_PATH_BYTES = 200;
const MAX_RULE_BYTES = 1_000;
const MAX_AUTH_BYTES = 1_500;

/** Maximum number of rules in an entry that is cut to its decision. The rules that were evaluated last remain. */
const MAX_RULES = 4;

type Omission = (denial: RecordedDenial) => RecordedDenial;

const OMISSIONS: readonly Omission[] = [withoutValues, withoutOtherRules, withoutDetails, withDecisionOnly];

/**
 * Returns an entry as JSON. Leaves out details until it fits into `MAX_ENTRY_BYTES`. Never serializes an entry
 * that is certainly too long: the cost does not depend on the length of the texts that a client sent.
 */
export function encodeDenial(denial: RecordedDenial): Buffer {
  let fitting = denial;
  for (const omit of OMISSIONS) {
    const bytes = isLong(fitting) ? undefined : encode(fitting);
    if (bytes !== undefined && bytes.length <= MAX_ENTRY_BYTES) return bytes;
    fitting = omit(fitting);
  }
  return encode(fitting);
}

/** Decodes an entry. Its numbers are doubles, as rules saw them. */
export function decodeDenial(id: number, bytes: Buffer): Denial {
  const recorded = parseJsonWithDoubles(bytes.toString()) as RecordedDenial;
  return { ...recorded, id };
}

function encode(denial: RecordedDenial): Buffer {
  return Buffer.from(printJsonWithDoubles(denial));
}

/** Returns whether the entry is certainly too long. */
function isLong(denial: RecordedDenial): boolean {
  return jsonSize(denial, MAX_ENTRY_BYTES + 1) > MAX_ENTRY_BYTES;
}

function withoutValues(denial: RecordedDenial): RecordedDenial {
  return denial.values === null ? denial : { ...denial, values: null, cut: 'values' };
}

function withoutOtherRules(denial: RecordedDenial): RecordedDenial {
  return { ...withRules(denial, failedRules(denial)), cut: 'other-rules' };
}

function withoutDetails(denial: RecordedDenial): RecordedDenial {
  // Finding the conditions of a rule requires parsing it again.
  if (isLong({ ...denial, rules: denial.rules.map(withoutSteps) })) return withDecisionOnly(denial);
  return { ...withRules(denial, denial.rules.map(withOutcomesOnly)), cut: 'details' };
}

function withDecisionOnly(denial: RecordedDenial): RecordedDenial {
  const cut = withRules(denial, denial.rules.slice(-MAX_RULES).map(cutRule));
  return {
    ...cut,
    paths: denial.paths.map((path) => cutText(path, MAX_PATH_BYTES)),
    identity: cutIdentity(denial.identity),
    query: denial.query === null ? null : cutQuery(denial.query),
    cut: 'all-but-verdict',
  };
}

/** Replaces the rules of an entry by some of them, and adjusts the index of the deciding rule. */
function withRules(denial: RecordedDenial, rules: readonly StoredRule[]): RecordedDenial {
  const deciding = denial.deciding === null ? undefined : denial.rules[denial.deciding];
  const index = rules.findIndex(
    ({ kind, documentSpan }) =>
      kind === deciding?.kind && spanName(documentSpan) === spanName(deciding.documentSpan),
  );
  return { ...denial, rules, deciding: index === -1 ? null : index };
}

/** Keeps the values of conditions, and removes the steps that led to them. */
function withOutcomesOnly(rule: StoredRule): StoredRule {
  const location = rule.location.split('/').slice(1);
  const conditions = new Set<string>();
  const { expression } = parsePrintedRule(rule.kind, location, rule.text).rule;
  replaceConditions(expression, (condition) => {
    conditions.add(spanName(condition.span));
    return condition;
  });
  const prune = (step: StoredStep): StoredStep => ({
    ...step,
    steps: conditions.has(spanName(step.span)) ? [] : step.steps.map(prune),
  });
  return { ...rule, step: prune(rule.step) };
}

function cutRule(rule: StoredRule): StoredRule {
  return {
    ...withoutSteps(rule),
    location: cutText(rule.location, MAX_PATH_BYTES),
    place: cutText(rule.place, MAX_PATH_BYTES),
    text: cutText(rule.text, MAX_RULE_BYTES),
  };
}

function withoutSteps(rule: StoredRule): StoredRule {
  return { ...rule, step: { ...rule.step, steps: [] } };
}

function cutIdentity(identity: DeniedIdentity): DeniedIdentity {
  if (identity.kind === 'guest') return identity;
  const { auth } = identity;
  return { kind: 'user', auth: typeof auth === 'object' && auth !== null ? cutAuth(auth) : auth };
}

const CUT_AUTHS = new WeakMap<object, unknown>();

/**
 * Returns `auth`, or the start of its JSON if it is too long. Cached, because a connection has the same claims
 * for a long time.
 */
function cutAuth(auth: object): unknown {
  const known = CUT_AUTHS.get(auth);
  if (known !== undefined) return known;
  const text = printJsonWithDoubles(auth);
  const cut = Buffer.byteLength(text) <= MAX_AUTH_BYTES ? auth : cutText(text, MAX_AUTH_BYTES);
  CUT_AUTHS.set(auth, cut);
  return cut;
}

function cutQuery(query: QueryVariables): QueryVariables {
  const cut = <T>(value: T): T | string =>
    typeof value === 'string' ? cutText(value, MAX_PATH_BYTES) : value;
  return {
    ...query,
    orderByChild: cut(query.orderByChild),
    startAt: cut(query.startAt),
    endAt: cut(query.endAt),
    equalTo: cut(query.equalTo),
  };
}
