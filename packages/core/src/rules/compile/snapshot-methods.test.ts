import { expect, test } from 'vitest';
import type { Expression } from '../syntax/expression.ts';
import { parseExpression } from '../syntax/parser.ts';
import { compileExpression } from './compiler.ts';
import { evaluateText, faultOf } from './evaluate.fixture.ts';

const parse = (text: string) => parseExpression(text, (index) => index);

const BEFORE = `{
  "text": "a", "number": 1, "long": 9007199254740993, "no": false, "inner": {"a": {"b": 1}, "c": 2},
  "weighed": {".value": "v", ".priority": 5}, "named": {"x": 1, ".priority": "p"}
}`;
const AT_ROOM = { location: 'rooms/$room', path: 'rooms/r1/below/it' };

test.each([
  ["root.child('text').val()", 'a'],
  ["root.child('number').val()", 1],
  ["root.child('long').val()", 9007199254740992],
  ["root.child('no').val()", false],
  ["root.child('none').val()", null],
  ["root.child('text/below').val()", null],
  ["root.child('weighed').val()", 'v'],
  ["root.child('weighed').getPriority()", 5],
  ["root.child('named').getPriority()", 'p'],
  ["root.child('text').getPriority()", null],
  ["root.child('none').getPriority()", null],
])('[R94] %s is %j', (text, expected) => {
  expect(evaluateText(text, { before: BEFORE })).toBe(expected);
});

test.each([
  ['text', ['isString']],
  ['weighed', ['isString']],
  ['number', ['isNumber']],
  ['long', ['isNumber']],
  ['no', ['isBoolean']],
  ['inner', []],
  ['none', []],
])('[R94] the value at %s passes these type tests: %j', (key, expected) => {
  const passed = ['isString', 'isNumber', 'isBoolean'].filter((method) =>
    evaluateText(`root.child('${key}').${method}()`, { before: BEFORE }),
  );
  expect(passed).toEqual(expected);
});

test.each([
  ['inner', true, true],
  ['inner/a', true, true],
  ['named', true, true],
  ['text', true, false],
  ['no', true, false],
  ['none', false, false],
])('[R93] at %s, exists() is %j and hasChildren() is %j', (key, exists, hasChildren) => {
  expect(evaluateText(`root.child('${key}').exists()`, { before: BEFORE })).toBe(exists);
  expect(evaluateText(`root.child('${key}').hasChildren()`, { before: BEFORE })).toBe(hasChildren);
});

test.each([
  ["root.hasChild('text')", true],
  ["root.hasChild('no')", true],
  ["root.hasChild('none')", false],
  ["root.hasChild('inner/a/b')", true],
  ["root.hasChild('inner/a/x')", false],
  ["root.hasChildren(['text', 'inner/a'])", true],
  ["root.hasChildren(['text', 'none'])", false],
  ['root.hasChildren([])', true],
  ["root.child('none').hasChildren([])", true],
  ["root.child('text').hasChildren([])", true],
  ["root.child('text').hasChildren(['a'])", false],
  ["root.child('inner').hasChildren(['a', 'c'])", true],
  ["root.hasChildren([auth.name, 'no'])", true],
])('[R93] %s is %j', (text, expected) => {
  expect(evaluateText(text, { before: BEFORE, auth: { name: 'text' } })).toBe(expected);
});

test.each([
  ['inner/a/b', 1],
  ['/inner/a/b/', 1],
  ['inner//a///b', 1],
  ['', null],
  ['/', null],
  ['.', null],
  ['..', null],
  ['inner/../number', null],
  ['inner/./c', null],
  ['a.b', null],
  ['a#b', null],
  ['a$b', null],
  ['a[b', null],
  ['a]b', null],
  ['a\u0000b', null],
  ['a'.repeat(769), null],
  ['a/'.repeat(33), null],
  ['a/'.repeat(20_000), null],
])('[R91] child(%j) has the value %j, whether the path is literal or computed', (path, expected) => {
  const inputs = { before: BEFORE, auth: { path } };
  expect(evaluateText('root.child(auth.path).val()', inputs)).toBe(expected);
  expect(evaluateText('root.hasChild(auth.path)', inputs)).toBe(expected !== null);
  expect(evaluateText('root.hasChildren([auth.path])', inputs)).toBe(expected !== null);
  expect(evaluateText(`root.child(${JSON.stringify(path)}).val()`, inputs)).toBe(expected);
});

test.each([
  "root.child('..').child('text').exists()",
  "root.child('').parent().exists()",
  "root.child('').parent().parent().parent().exists()",
  `root.child('${'a/'.repeat(32)}').child('a').parent().parent().exists()`,
])('[R91] %s is false, because no data exists above or below a path that is not valid', (text) => {
  expect(evaluateText(text, { before: BEFORE })).toBe(false);
});

test.each([
  ['root.child(auth.none)', 'auth.none', 'The argument of child() is null, but must be a string.'],
  ['root.hasChild(auth.one)', 'auth.one', 'The argument of hasChild() is a number, but must be a string.'],
  ['root.hasChildren([auth.one])', 'auth.one', 'The name of a child is a number, but must be a string.'],
  ["root.hasChildren(['none', auth.x])", 'auth.x', 'The name of a child is null, but must be a string.'],
  ['root.child(root.val())', 'root.val()', 'The argument of child() is an object, but must be a string.'],
])('[R91][R103] %s is an error at %s: %s', (text, part, message) => {
  expect(faultOf(text, { before: BEFORE, auth: { one: 1 } })).toEqual([
    part,
    expect.stringContaining(message),
  ]);
});

test.each([
  ['root.parent().exists()', 'root.parent()'],
  ["root.child('a').parent().parent().exists()", "root.child('a').parent().parent()"],
  ["root.child('a/b').parent().parent().parent().val()", "root.child('a/b').parent().parent().parent()"],
])('[R92][R103] %s is an error at %s because the root has no parent', (text, part) => {
  expect(faultOf(text, { before: BEFORE })).toEqual([part, 'The root has no parent().']);
});

test.each([
  ["root.child('none').parent().child('number').val()", 1],
  ["root.child('inner/a/b').parent().parent().child('c').val()", 2],
])('[R92] %s is %j', (text, expected) => {
  expect(evaluateText(text, { before: BEFORE })).toBe(expected);
});

test.each([
  ['root.child("rooms/r1/n").val()', 1],
  ['data.child("n").val()', 1],
  ['newData.child("n").val()', 2],
  ['data.parent().parent().child("top").val()', 'before'],
  ['newData.parent().parent().child("top").val()', 'after'],
  ['data.parent().child($room).child("n").val()', 1],
  // A snapshot that is read twice is at the same path both times.
  ['data.child("n").val() == 1 && data.child("n").exists()', true],
  ['(true ? data : newData).child("n").val()', 1],
  ['(false ? data : newData).child("n").val()', 2],
  ['data.child(data.child("n").val() == 1 ? "n" : "x").val()', 1],
])('[R95] in a rule at /rooms/$room, %s is %j', (text, expected) => {
  const before = '{"rooms":{"r1":{"n":1}},"top":"before"}';
  const after = '{"rooms":{"r1":{"n":2}},"top":"after"}';
  expect(evaluateText(text, { ...AT_ROOM, before, after })).toBe(expected);
});

test.each([
  ['(auth.yes == true ? 1 : root).exists()', 'The target of .exists() is a number, but must be a snapshot.'],
  ['(auth.yes == true ? auth.x : root).child("a").val()', 'The target of .child() is null'],
  ['(auth.yes == true ? "a" : root).parent().val()', 'The target of .parent() is a string'],
  ['(auth.yes == true ? "a" : root).hasChild("a")', 'The target of .hasChild() is a string'],
  ['(auth.yes == true ? "a" : root).hasChildren(["a"])', 'The target of .hasChildren() is a string'],
  ['(auth.yes == true ? root : "a").length', 'The target of .length is a snapshot, but must be a string.'],
])('[R87][R103] %s is an error: %s', (text, message) => {
  expect(faultOf(text, { auth: { yes: true } })[1]).toContain(message);
});

/**
 * Nests the template in itself `levels` times, each time in place of `X`. Returns how many times the innermost
 * expression is compiled.
 */
function compilationsOf(template: string, levels: number): number {
  let count = 0;
  const span = { start: 0, end: 0 };
  let name: Expression = {
    kind: 'literal',
    span,
    get value() {
      count++;
      return 1;
    },
  };
  for (let level = 0; level < levels; level++) name = replaceName(parse(template), name);
  compileExpression(name, []);
  return count;
}

function replaceName(expression: Expression, name: Expression): Expression {
  const replace = (part: Expression): Expression => replaceName(part, name);
  switch (expression.kind) {
    case 'variable':
      return expression.name === 'X' ? name : expression;
    case 'member':
      return { ...expression, target: replace(expression.target) };
    case 'call':
      return { ...expression, callee: replace(expression.callee), args: expression.args.map(replace) };
    case 'array':
      return { ...expression, items: expression.items.map(replace) };
    case 'conditional':
      return { ...expression, condition: replace(expression.condition) };
    default:
      return expression;
  }
}

const TOO_DEEP = `root.child('${'a/'.repeat(32)}')`;

test.each([
  ["(root.hasChildren(['#', X]) ? 'a' : 'b')"],
  ["(root.hasChildren([X, '#']) ? 'a' : 'b')"],
  [`(${TOO_DEEP}.hasChildren([X]) ? 'a' : 'b')`],
  [`(${TOO_DEEP}.hasChild(X) ? 'a' : 'b')`],
  [`(${TOO_DEEP}.child(X).exists() ? 'a' : 'b')`],
  ["(root.child(X).child('#').exists() ? 'a' : 'b')"],
  ["(root.child(X).parent().exists() ? 'a' : 'b')"],
])(
  '[R284] in nested copies of %s, the innermost name is compiled the same number of times at any depth',
  (template) => {
    const once = compilationsOf(template, 1);
    expect(once).toBeLessThan(5);
    expect(compilationsOf(template, 8)).toBe(once);
    expect(compilationsOf(template, 90)).toBe(once);
  },
);
