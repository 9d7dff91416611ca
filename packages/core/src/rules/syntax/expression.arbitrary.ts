import fc from 'fast-check';
import { type Expression, isBinaryOperator, PRECEDENCE } from './expression.ts';
import { regularExpressionArbitrary } from './regular-expression.arbitrary.ts';

const SPAN = { start: 0, end: 0 };
const SPANS = fc.constant(SPAN);

const operatorArbitrary = fc.constantFrom(...Object.keys(PRECEDENCE).filter(isBinaryOperator));

const nameArbitrary = fc.constantFrom(
  ...['auth', 'now', 'root', 'data', 'newData', 'query'],
  ...['$room', '$_', 'x', 'été', 'nullable', 'inner', '__proto__'],
);
/** After a dot, every word is a name. In brackets, every string is a name. */
const memberNameArbitrary = fc.oneof(
  nameArbitrary,
  fc.constantFrom(...['val', 'length', 'in', 'typeof', 'null', 'constructor'], ...['a-b', '', '0', "it's"]),
  fc.string({ unit: 'binary', maxLength: 4 }),
);

const textArbitrary = fc.oneof(
  fc.constantFrom('', 'a', "'", '"', '\\', '\n', '\u2028', '\ud83d', '\ud83d\ude00', '//', '/*', '\\u0041'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

const numberArbitrary = fc.oneof(
  fc.nat(100),
  fc.constantFrom(0.5, 1e21, 5e-324, Number.MAX_VALUE, 2 ** 53 + 2),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
);

/** Returns `target[key]`. A literal string key makes it a member: `target['name']`. */
function subscript(target: Expression, key: Expression): Expression {
  return key.kind === 'literal' && typeof key.value === 'string'
    ? { kind: 'member', span: SPAN, target, name: key.value, nameSpan: SPAN }
    : { kind: 'subscript', span: SPAN, target, key };
}

/** Generates any expression that can be written. Most of them have wrong types. The spans are empty. */
export const expressionArbitrary: fc.Arbitrary<Expression> = fc.letrec<{ expression: Expression }>((tie) => {
  const expression = tie('expression');
  const expressions = fc.array(expression, { maxLength: 3 });
  const variants: readonly fc.Arbitrary<Expression>[] = [
    fc.record({
      kind: fc.constant('literal'),
      span: SPANS,
      value: fc.oneof(fc.constantFrom(true, false, null), numberArbitrary, textArbitrary),
    }),
    fc.record({ kind: fc.constant('variable'), span: SPANS, name: nameArbitrary }),
    fc.record({ kind: fc.constant('regular-expression'), span: SPANS, pattern: regularExpressionArbitrary }),
    fc.record({
      kind: fc.constant('member'),
      span: SPANS,
      target: expression,
      name: memberNameArbitrary,
      nameSpan: SPANS,
    }),
    fc.tuple(expression, expression).map(([target, key]) => subscript(target, key)),
    fc.record({ kind: fc.constant('call'), span: SPANS, callee: expression, args: expressions }),
    fc.record({ kind: fc.constant('array'), span: SPANS, items: expressions }),
    fc.record({
      kind: fc.constant('unary'),
      span: SPANS,
      operator: fc.constantFrom('!', '-'),
      operand: expression,
    }),
    ...Array.from({ length: 4 }, () =>
      fc.record({
        kind: fc.constant('binary'),
        span: SPANS,
        operator: operatorArbitrary,
        left: expression,
        right: expression,
      }),
    ),
    fc.record({
      kind: fc.constant('conditional'),
      span: SPANS,
      condition: expression,
      consequent: expression,
      alternate: expression,
    }),
  ];
  return { expression: fc.oneof({ maxDepth: 5, withCrossShrink: true }, ...variants) };
}).expression;
