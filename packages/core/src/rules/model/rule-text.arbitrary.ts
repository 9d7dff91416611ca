import fc from 'fast-check';
import type { RuleKind } from '../evaluate/rule-set.ts';

/** The kind of a rule and the wildcards above it, which determine the variables that the rule may use. */
export interface RuleContext {
  readonly kind: RuleKind;
  readonly wildcards: readonly string[];
}

/**
 * Generators of expression texts, by type. The type of an `any` expression is known only when it is
 * evaluated.
 */
interface ExpressionTexts {
  readonly boolean: fc.Arbitrary<string>;
  readonly number: fc.Arbitrary<string>;
  readonly string: fc.Arbitrary<string>;
  readonly any: fc.Arbitrary<string>;
  readonly snapshot: fc.Arbitrary<string>;
}

const COMPOSITION_LEVELS = 3;

/** Generates rules that the checker accepts, over the keys and values of the generated data. */
export function ruleTexts(context: RuleContext): fc.Arbitrary<string> {
  let texts = simpleTexts(context);
  for (let i = 0; i < COMPOSITION_LEVELS; i++) texts = composeTexts(texts, context);
  return fc.oneof(
    { weight: 6, arbitrary: texts.boolean },
    { weight: 3, arbitrary: fc.constant('true') },
    { weight: 1, arbitrary: fc.constant('false') },
  );
}

function simpleTexts({ kind, wildcards }: RuleContext): ExpressionTexts {
  return {
    boolean: fc.constantFrom('true', 'false', 'auth != null', 'data.exists()'),
    number: fc.constantFrom('0', '1', '2', '1.5', 'now'),
    string: fc.constantFrom("'a'", "'b'", "'u1'", "'A'", "'a/b'", ...wildcards, ...wildcards),
    any: fc.constantFrom('auth.uid', 'auth.token.n', 'auth.token.admin', 'auth.missing.part', 'data.val()'),
    snapshot:
      kind === 'read'
        ? fc.constantFrom('root', 'data')
        : fc.constantFrom('root', 'data', 'newData', 'newData'),
  };
}

/** Returns generators of expressions that are composed of `below` and one level deeper. */
function composeTexts(below: ExpressionTexts, context: RuleContext): ExpressionTexts {
  return {
    boolean: booleans(below, context),
    number: fc.oneof(
      { weight: 2, arbitrary: below.number },
      joined(below.number, fc.constantFrom('+', '-', '*', '/', '%'), below.number),
      joined(below.any, fc.constantFrom('-', '*'), below.number),
      text`(${below.string}).length`,
      text`-(${below.number})`,
    ),
    string: fc.oneof(
      { weight: 3, arbitrary: below.string },
      joined(below.string, fc.constant('+'), fc.oneof(below.any, below.string, below.number)),
      text`${below.string}.${fc.constantFrom('toLowerCase', 'toUpperCase')}()`,
      text`${below.string}.replace('a', ${below.string})`,
    ),
    any: fc.oneof(
      { weight: 2, arbitrary: below.any },
      { weight: 4, arbitrary: text`${below.snapshot}.val()` },
      text`${below.snapshot}.getPriority()`,
      text`auth.token[${below.string}]`,
      joined(below.any, fc.constant('+'), below.number),
    ),
    snapshot: fc.oneof(
      { weight: 3, arbitrary: below.snapshot },
      { weight: 4, arbitrary: text`${below.snapshot}.child(${childNames(below)})` },
      text`${below.snapshot}.parent()`,
    ),
  };
}

function booleans(below: ExpressionTexts, { kind }: RuleContext): fc.Arbitrary<string> {
  const mixed = text`(${below.boolean} ? ${below.number} : ${below.string})`;
  const operands = fc.oneof(below.any, below.any, below.number, below.string, mixed, fc.constant('null'));
  const comparable = fc.constantFrom('==', '!=', '===', '!==');
  const orders = fc.constantFrom('<', '<=', '>', '>=');
  const kindOnly =
    kind === 'read'
      ? fc.constantFrom(
          "query.orderByChild == 'a'",
          'query.limitToFirst <= 2',
          'query.equalTo == auth.uid',
          'query.orderByKey',
          'query.startAt != null',
        )
      : fc.constantFrom('newData.isString()', "newData.hasChildren(['a'])", 'newData.val() != data.val()');
  return fc.oneof(
    { weight: 3, arbitrary: below.boolean },
    { weight: 3, arbitrary: joined(below.boolean, fc.constantFrom('&&', '||'), below.boolean) },
    { weight: 2, arbitrary: kindOnly },
    { weight: 3, arbitrary: joined(operands, comparable, operands) },
    joined(below.any, orders, fc.oneof(below.any, below.number, below.string, mixed)),
    joined(below.number, orders, below.number),
    text`!(${below.boolean})`,
    text`(${below.boolean} ? ${below.boolean} : ${below.boolean})`,
    { weight: 2, arbitrary: text`${below.snapshot}.${fc.constantFrom(...LOCATION_TESTS)}()` },
    text`${below.snapshot}.hasChild(${childNames(below)})`,
    text`${below.snapshot}.hasChildren([${fc.array(below.string, { maxLength: 2 }).map(String)}])`,
    text`${below.any}.${fc.constantFrom('contains', 'beginsWith', 'endsWith')}(${below.string})`,
    text`${fc.oneof(below.any, below.string)}.matches(${fc.constantFrom(...PATTERNS)})`,
  );
}

const LOCATION_TESTS = ['exists', 'hasChildren', 'isString', 'isNumber', 'isBoolean'] as const;

/** Patterns that match the same texts in rules and in JavaScript. */
const PATTERNS = [
  '/^[a-z]+$/',
  '/a|B/i',
  '/^u\\d$/',
  '/./',
  '/^\\w{1,3}$/',
  '/^(a|ab)*$/',
  '/[^ab]/',
] as const;

function childNames(below: ExpressionTexts): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("'a'", "'b'", "'u1'", "'a/b'") },
    { weight: 2, arbitrary: fc.oneof(below.string, below.any) },
    { weight: 1, arbitrary: fc.constantFrom("''", "'/a/'", "'a.b'", "'..'") },
  );
}

function joined(
  left: fc.Arbitrary<string>,
  operator: fc.Arbitrary<string>,
  right: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  return text`(${left} ${operator} ${right})`;
}

/** Generates a text from a template with generated parts. */
function text(fixed: TemplateStringsArray, ...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((values) => String.raw({ raw: fixed }, ...values));
}
