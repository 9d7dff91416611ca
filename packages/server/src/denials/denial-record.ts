import type { QueryVariables } from '@hearth/core/rules/rule-value.ts';
import { replaceConditions } from './conditions.ts';
import { cutText } from './cut-text.ts';
import type { Denial, DeniedIdentity, KeptRule, KeptStep, RecordedDenial } from './denial.ts';
import { groundsOf } from './grounds.ts';
import { jsonSize } from './json-size.ts';
import { parseJsonWithDoubles, printJsonWithDoubles } from './json-with-doubles.ts';
import { parsePrintedRule } from './printed-rule.ts';
import { spanName } from './redact-step.ts';

/** Longest entry in bytes, as it is stored. */
export const MAX_ENTRY_BYTES = 16_384;

/** Longest texts of an entry that is nothing but a verdict, in bytes as JSON. */
const MAX_PATH_BYTES = 200;
const MAX_RULE_BYTES = 1_000;
const MAX_AUTH_BYTES = 1_500;

/** Most rules of such an entry: those nearest to the place. */
const MAX_RULES = 4;

type Omission = (denial: RecordedDenial) => RecordedDenial;

const OMISSIONS: readonly Omission[] = [withoutValues, withoutOtherRules, withoutDetails, withVerdictOnly];

/**
 * The entry as JSON, with as much left out as it takes to keep it within its bound. Nothing is printed that cannot be: what
 * an entry costs does not depend on how long the texts are that somebody sent.
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

/** Reads an entry back. Its numbers are doubles, as rules saw them. */
export function decodeDenial(id: number, bytes: Buffer): Denial {
  const recorded = parseJsonWithDoubles(bytes.toString()) as RecordedDenial;
  return { ...recorded, id };
}

function encode(denial: RecordedDenial): Buffer {
  return Buffer.from(printJsonWithDoubles(denial));
}

/** Is it certainly too long? */
function isLong(denial: RecordedDenial): boolean {
  return jsonSize(denial, MAX_ENTRY_BYTES + 1) > MAX_ENTRY_BYTES;
}

function withoutValues(denial: RecordedDenial): RecordedDenial {
  return denial.values === null ? denial : { ...denial, values: null, cut: 'values' };
}

function withoutOtherRules(denial: RecordedDenial): RecordedDenial {
  return { ...withRules(denial, groundsOf(denial)), cut: 'other-rules' };
}

function withoutDetails(denial: RecordedDenial): RecordedDenial {
  // To find the conditions of a rule, it is read once more.
  if (isLong({ ...denial, rules: denial.rules.map(withoutSteps) })) return withVerdictOnly(denial);
  return { ...withRules(denial, denial.rules.map(withOutcomesOnly)), cut: 'details' };
}

function withVerdictOnly(denial: RecordedDenial): RecordedDenial {
  const cut = withRules(denial, denial.rules.slice(-MAX_RULES).map(cutRule));
  return {
    ...cut,
    paths: denial.paths.map((path) => cutText(path, MAX_PATH_BYTES)),
    identity: cutIdentity(denial.identity),
    query: denial.query === null ? null : cutQuery(denial.query),
    cut: 'all-but-verdict',
  };
}

/** Other rules in the place of those of the entry, of which some may be missing from the start or in between. */
function withRules(denial: RecordedDenial, rules: readonly KeptRule[]): RecordedDenial {
  const deciding = denial.deciding === null ? undefined : denial.rules[denial.deciding];
  const index = rules.findIndex(
    ({ kind, documentSpan }) =>
      kind === deciding?.kind && spanName(documentSpan) === spanName(deciding.documentSpan),
  );
  return { ...denial, rules, deciding: index === -1 ? null : index };
}

/** What conditions came to stays, what they were made of goes. */
function withOutcomesOnly(rule: KeptRule): KeptRule {
  const location = rule.location.split('/').slice(1);
  const conditions = new Set<string>();
  const { expression } = parsePrintedRule(rule.kind, location, rule.text).rule;
  replaceConditions(expression, (condition) => {
    conditions.add(spanName(condition.span));
    return condition;
  });
  const prune = (step: KeptStep): KeptStep => ({
    ...step,
    steps: conditions.has(spanName(step.span)) ? [] : step.steps.map(prune),
  });
  return { ...rule, step: prune(rule.step) };
}

function cutRule(rule: KeptRule): KeptRule {
  return {
    ...withoutSteps(rule),
    location: cutText(rule.location, MAX_PATH_BYTES),
    place: cutText(rule.place, MAX_PATH_BYTES),
    text: cutText(rule.text, MAX_RULE_BYTES),
  };
}

function withoutSteps(rule: KeptRule): KeptRule {
  return { ...rule, step: { ...rule.step, steps: [] } };
}

function cutIdentity(identity: DeniedIdentity): DeniedIdentity {
  if (identity.kind === 'guest') return identity;
  const { auth } = identity;
  return { kind: 'user', auth: typeof auth === 'object' && auth !== null ? cutAuth(auth) : auth };
}

const CUT_AUTHS = new WeakMap<object, unknown>();

/** A connection has the same claims for long: they are printed once. */
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
