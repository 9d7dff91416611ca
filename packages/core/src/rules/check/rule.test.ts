import { describe, expect, test } from 'vitest';
import type { RuleKind } from '../evaluate/rule-set.ts';
import { parseExpression } from '../syntax/parser.ts';
import { checkRule } from './rule.ts';

/** Returns the problems of an expression as `offset: message`, in order. */
function problemsOf(text: string, kind: RuleKind = 'write', wildcards: readonly string[] = ['$x']): string[] {
  const expression = parseExpression(text, (index) => index);
  return checkRule(kind, expression, wildcards).map(
    ({ offset, message, hint }) => `${offset}: ${message}${hint?.() ?? ''}`,
  );
}

/** One expression for each type. */
const OF_TYPE = {
  boolean: 'data.exists()',
  number: 'now',
  string: '$x',
  null: 'null',
  'regular-expression': '/a/',
  snapshot: 'data',
  value: 'data.val()',
  auth: 'auth.a',
  query: 'query',
  'query-value': 'query.startAt',
  mixed: '(true ? 1 : $x)',
  method: 'data.exists',
};
type TypeName = keyof typeof OF_TYPE;

const NUMBERS: readonly TypeName[] = ['number', 'value', 'auth', 'query-value', 'mixed'];
const ORDERED: readonly TypeName[] = [...NUMBERS, 'string'];
const COMPARABLE: readonly TypeName[] = [...ORDERED, 'boolean', 'null'];

/** Returns, for each type, its expression and whether `accepted` contains the type. */
function typesWith(accepted: readonly string[]): readonly (readonly [string, boolean])[] {
  return Object.entries(OF_TYPE).map(([type, text]) => [text, accepted.includes(type)]);
}

describe('whole rules', () => {
  test.each(typesWith(['boolean']))('[R50] %s is accepted as a rule: %s', (text, isAccepted) => {
    const offset = text.startsWith('(') ? 1 : 0;
    expect(problemsOf(text, 'read')).toEqual(
      isAccepted ? [] : [`${offset}: Expression must evaluate to a boolean.`],
    );
  });

  test.each([['auth.isAdmin'], ["'x'"], ['7'], ['root.val()'], ['null'], ["auth.s === 'one' ? 7 : true"]])(
    '[R50] %s is not a rule',
    (text) => expect(problemsOf(text)).toEqual(['0: Expression must evaluate to a boolean.']),
  );

  test.each([['query.orderByKey'], ['!query.orderByValue && query.orderByPriority']])(
    '[R50] %s is a valid read rule',
    (text) => expect(problemsOf(text, 'read')).toEqual([]),
  );
});

describe('operators', () => {
  describe.each([['=='], ['==='], ['!='], ['!==']])('%s', (operator) => {
    const left = operator.startsWith('!') ? 'string, or null.' : 'string, null.';

    test.each(typesWith(COMPARABLE))('[R51] %s is accepted as an operand: %s', (text, isAccepted) => {
      const inside = text.startsWith('(') ? 1 : 0;
      const problem = (side: string, offset: number, end: string) =>
        `${offset + inside}: Invalid ${operator} expression: ${side} operand is not a number, boolean, ${end}`;
      expect(problemsOf(`${text} ${operator} 1`, 'read')).toEqual(
        isAccepted ? [] : [problem('left', 0, left)],
      );
      expect(problemsOf(`1 ${operator} ${text}`, 'read')).toEqual(
        isAccepted ? [] : [problem('right', operator.length + 3, 'string, or null.')],
      );
    });
  });

  describe.each([
    ['<', 'must be a number or string.', ORDERED, '[R52]'],
    ['<=', 'must be a number or string.', ORDERED, '[R52]'],
    ['>', 'must be a number or string.', ORDERED, '[R52]'],
    ['>=', 'must be a number or string.', ORDERED, '[R52]'],
    ['+', 'is not a number or string.', ORDERED, '[R53]'],
    ['-', 'is not a number.', NUMBERS, '[R54]'],
    ['*', 'is not a number.', NUMBERS, '[R54]'],
    ['/', 'is not a number.', NUMBERS, '[R54]'],
    ['%', 'is not a number.', NUMBERS, '[R54]'],
  ] as const)('%s', (operator, problem, accepted, number) => {
    test.each(typesWith(accepted))(`${number} %s is accepted as an operand: %s`, (text, isAccepted) => {
      const inside = text.startsWith('(') ? 1 : 0;
      const isComparison = number === '[R52]';
      const rule = (expression: string) => (isComparison ? expression : `(${expression}) != null`);
      const start = (isComparison ? 0 : 1) + inside;
      expect(problemsOf(rule(`${text} ${operator} 1`), 'read')).toEqual(
        isAccepted ? [] : [`${start}: Invalid ${operator} expression: left operand ${problem}`],
      );
      expect(problemsOf(rule(`1 ${operator} ${text}`), 'read')).toEqual(
        isAccepted
          ? []
          : [`${start + operator.length + 3}: Invalid ${operator} expression: right operand ${problem}`],
      );
    });
  });

  test.each(typesWith(NUMBERS))('[R54] -%s is accepted: %s', (text, isAccepted) => {
    const offset = text.startsWith('(') ? 2 : 1;
    expect(problemsOf(`-${text} != null`, 'read')).toEqual(
      isAccepted ? [] : [`${offset}: - only operates on numbers.`],
    );
  });

  test.each(typesWith(['boolean']))(
    '[R55] %s is accepted where a boolean is required: %s',
    (text, isAccepted) => {
      const inside = text.startsWith('(') ? 1 : 0;
      const problems = (offset: number, message: string) =>
        isAccepted ? [] : [`${offset + inside}: ${message}`];
      expect(problemsOf(`${text} && true`, 'read')).toEqual(
        problems(0, 'Left operand of && must be boolean.'),
      );
      expect(problemsOf(`true && ${text}`, 'read')).toEqual(
        problems(8, 'Right operand of && must be boolean.'),
      );
      expect(problemsOf(`${text} || true`, 'read')).toEqual(
        problems(0, 'Left operand of || must be boolean.'),
      );
      expect(problemsOf(`true || ${text}`, 'read')).toEqual(
        problems(8, 'Right operand of || must be boolean.'),
      );
      expect(problemsOf(`!${text}`, 'read')).toEqual(problems(1, '! only operates on booleans.'));
      expect(problemsOf(`${text} ? true : true`, 'read')).toEqual(
        problems(0, 'condition of ? must be boolean.'),
      );
    },
  );

  test.each([
    ["('a' + auth.a).length == 1", 'string'],
    ["(query.startAt + 'a').length == 1", 'string'],
    ['(data.val() + auth.a).length == 1', 'value'],
    ["data.child('a').hasChild(data.val() + 1)", 'value'],
    ['(1 + 1) * 2 == 4', 'number'],
    ['(data.val() + 1) * 2 == 4', 'value'],
  ])('[R56] the sum in %s is a %s', (text) => expect(problemsOf(text, 'read')).toEqual([]));

  test.each([
    ['(1 + 1).length == 1', '1: Invalid property access: target is not an object.'],
    ["(1 + 'a') * 2 == 4", '1: Invalid * expression: left operand is not a number.'],
    ['data.hasChild(1 + 1)', '14: hasChild() expects a string argument.'],
  ])('[R56] the sum in %s has a type that is not accepted there', (text, problem) =>
    expect(problemsOf(text)).toEqual([problem]),
  );

  test.each([
    ["(true ? root : data).child('a').exists()"],
    ["(true ? 'a' : $x).length == 1"],
    ['(true ? auth.a : auth.b).c == 1'],
    ['(true ? 1 : 2) * 2 == 4'],
    ["(true ? 1 : 'a') * 2 == 4"],
    ["data.child(true ? 1 : 'a').exists()"],
    ['(true ? data : null) != null'],
    ['true ? data.exists() : false'],
  ])('[R57] the type of ?: is accepted in %s', (text) => expect(problemsOf(text)).toEqual([]));

  test.each([
    ["(true ? 1 : 'a').length == 1", '1: Invalid property access: target is not an object.'],
    ['(true ? root : null).exists()', '1: Invalid property access: target is not an object.'],
    ['(true ? true : 1) && true', '1: Left operand of && must be boolean.'],
    ['(true ? /a/ : 1) == 1', '8: branches of ? must be values.'],
    ['(true ? 1 : data.exists) == 1', '12: branches of ? must be values.'],
  ])('[R57] the type or a branch of ?: is rejected in %s', (text, problem) =>
    expect(problemsOf(text)).toEqual([problem]),
  );
});

describe('members', () => {
  test.each([
    ["data.val() == 1 && data.child('a').parent().exists() && data.hasChild('a') && data.hasChildren()"],
    ['data.getPriority() == 1 && data.isNumber() && data.isString() && data.isBoolean()'],
    ["$x.length == 1 && $x.contains('a') && $x.beginsWith('a') && $x.endsWith('a')"],
    ["$x.replace('a', 'b').toLowerCase().toUpperCase().matches(/a/)"],
    ['data.val().length == 1 && auth.a.length == 1'],
    ["data.val().contains('a') && auth.a.contains('a') && data.getPriority().contains('a')"],
    ["data['exists']() && data['child']('a')[\"exists\"]()"],
  ])('[R58] %s is accepted', (text) => expect(problemsOf(text)).toEqual([]));

  test.each([
    ['query.orderByKey && query.orderByValue && query.orderByPriority'],
    ['query.orderByChild == query.startAt && query.endAt == query.equalTo'],
    ['query.limitToFirst + query.limitToLast < 10'],
  ])('[R58] %s is accepted', (text) => expect(problemsOf(text, 'read')).toEqual([]));

  test.each([
    ['data.foo == 1', "5: No such method/property 'foo'."],
    ['data.constructor == 1', "5: No such method/property 'constructor'."],
    ['data.foo()', "5: No such method/property 'foo'."],
    ['data.length == 1', "5: No such method/property 'length'."],
    ['data.val().exists()', "11: No such method/property 'exists'."],
    ['$x.val() == 1', "3: No such method/property 'val'."],
    ['query.foo == 1', "6: No such method/property 'foo'."],
    ['root["doesNotExist"]() == true', "5: No such method/property 'doesNotExist'."],
  ])('[R58] %s is rejected', (text, problem) => expect(problemsOf(text, 'read')).toEqual([problem]));

  test.each([['data.exists == true'], ['$x.contains != null'], ['data.val == 1']])(
    '[R72] a method that is not called is rejected as an operand: %s',
    (text) => expect(problemsOf(text)).toHaveLength(1),
  );

  test.each([
    ['auth.token.email_verified == true'],
    ['auth.a.b.c == null'],
    ['auth.constructor == null'],
    ['auth.contains == 1'],
    ['auth[$x] == 1'],
    ["auth.a['b'][auth.c][data.val()] == 1"],
    ["auth.token.firebase.identities['email'][0] == 'a'"],
    ['auth[true ? 1 : $x] == 1'],
  ])('[R59] %s is accepted', (text) => expect(problemsOf(text)).toEqual([]));

  test.each([
    ['root["exi" + "sts"]() == false', '5: Invalid property access.'],
    ['root[$x]() == false', '5: Invalid property access.'],
    ['data.val()[$x] == 1', '11: Invalid property access.'],
    ['$x[0] == 1', '3: Invalid property access.'],
    ['query[$x] == 1', '6: Invalid property access.'],
    ['auth[true] == 1', '5: Invalid property access.'],
    ['auth[query.startAt] == 1', '5: Invalid property access.'],
    ['auth[data] == 1', '5: Invalid property access.'],
  ])('[R59] %s is rejected', (text, problem) => expect(problemsOf(text, 'read')).toEqual([problem]));

  test.each([
    ['true.length == 1', 0],
    ['now.foo == 1', 0],
    ['null.foo == 1', 0],
    ['/a/.foo == 1', 0],
    ['query.startAt.length == 1', 0],
    ['query.orderByKey.foo == 1', 0],
    ['data.exists.foo == 1', 0],
    ['now[$x] == 1', 0],
    ['(true ? 1 : $x).length == 1', 1],
  ])('[R60] %s is rejected', (text, offset) =>
    expect(problemsOf(text, 'read')).toEqual([
      `${offset}: Invalid property access: target is not an object.`,
    ]),
  );

  test.each([
    ['auth()', 0],
    ['data()', 0],
    ['(true)()', 1],
    ['data.exists()()', 0],
    ['$x.length()', 3],
    ['query.startAt() == 1', 6],
    ['auth.foo.notFound() == false', 9],
    ['auth.foo["doesNotContains"]("on") == false', 9],
    ['auth[$x]() == 1', 0],
    ['(true ? data.exists() : data.exists())()', 1],
  ])('[R61] %s is rejected', (text, offset) =>
    expect(problemsOf(text, 'read').map((problem) => problem.replace(/ Did you mean .*/, ''))).toEqual([
      `${offset}: Type error: Function call on target that is not a function.`,
    ]),
  );
});

describe('arguments', () => {
  const onSnapshot = ['val', 'parent', 'exists', 'getPriority', 'isNumber', 'isString', 'isBoolean'];
  const onString = ['toLowerCase', 'toUpperCase'];

  test.each([
    ...onSnapshot.map((name) => [name, `data.${name}(1)`]),
    ...onString.map((name) => [name, `$x.${name}(1)`]),
  ])('[R62] %s() accepts no arguments', (name, call) => {
    const all = problemsOf(`${call} != null`).map((problem) => problem.replace(/^\d+: /, ''));
    expect(all[0]).toBe(`${name}() expects no arguments.`);
  });

  test.each([
    ['data.child()', 'child() expects 1 argument.'],
    ["data.child('a', 'b')", 'child() expects 1 argument.'],
    ['data.hasChild()', 'hasChild() expects 1 argument.'],
    ['$x.contains()', 'contains() expects 1 argument.'],
    ["$x.beginsWith('a', 'b')", 'beginsWith() expects 1 argument.'],
    ['$x.endsWith()', 'endsWith() expects 1 argument.'],
    ["$x.replace('a')", 'replace() expects two arguments.'],
    ["$x.replace('a', 'b', 'c')", 'replace() expects two arguments.'],
    ['$x.matches()', 'matches() expects 1 regular expression literal argument.'],
    ['$x.matches(/a/, /b/)', 'matches() expects 1 regular expression literal argument.'],
    [
      "data.hasChildren('foo', 'bar')",
      'hasChildren() expects only a single argument (containing an array of child names).',
    ],
    [
      "data.hasChildren(['foo'], ['bar'])",
      'hasChildren() expects only a single argument (containing an array of child names).',
    ],
  ])('[R62] %s has the wrong number of arguments', (call, problem) => {
    const rest = call.startsWith('data.child') ? '.exists()' : call.includes('replace') ? ' == $x' : '';
    expect(problemsOf(`${call}${rest}`)).toEqual([`0: ${problem}`]);
  });

  describe.each([
    ['data.child(', ').exists()', 'child() expects a string argument.'],
    ['data.hasChild(', ')', 'hasChild() expects a string argument.'],
    ['$x.contains(', ')', 'contains() expects a string argument.'],
    ['$x.beginsWith(', ')', 'beginsWith() expects a string argument.'],
    ['$x.endsWith(', ')', 'endsWith() expects a string argument.'],
    ['$x.replace(', ", 'b') == $x", 'Argument 1 of replace() must be a string.'],
    ["$x.replace('a', ", ') == $x', 'Argument 2 of replace() must be a string.'],
    ['data.hasChildren([', '])', 'hasChildren() expects an array of strings.'],
  ])('%s', (before, after, problem) => {
    test.each(typesWith(['string', 'value', 'auth', 'mixed']))(
      '[R63] %s is accepted as an argument: %s',
      (text, isAccepted) => {
        const offset = before.length + (text.startsWith('(') ? 1 : 0);
        expect(problemsOf(`${before}${text}${after}`, 'read')).toEqual(
          isAccepted ? [] : [`${offset}: ${problem}`],
        );
      },
    );
  });

  test.each([["'/foo/'"], ['$x'], ['auth.a'], ['(true ? /a/ : /b/)'], ['1']])(
    '[R64] matches() does not accept %s',
    (text) =>
      expect(problemsOf(`$x.matches(${text})`)).toContain(
        `${text.startsWith('(') ? 12 : 11}: matches() expects a regular expression literal argument.`,
      ),
  );

  test.each([
    ['data.hasChildren()'],
    ['data.hasChildren([])'],
    ["data.hasChildren(['a', 'b/' + $x, auth.uid])"],
  ])('[R65] %s is accepted', (text) => expect(problemsOf(text)).toEqual([]));

  test.each([["'a'"], ['data'], ['1'], ['/a/']])('[R65] hasChildren() does not accept %s', (text) =>
    expect(problemsOf(`data.hasChildren(${text})`)).toEqual([
      '17: hasChildren() expects an array of child names.',
    ]),
  );

  test.each([
    ["['a'] == 'a'", 0],
    ["data.child(['a']).exists()", 11],
    ["data.hasChildren(true ? ['a'] : 'b')", 24],
    ["data.hasChildren([['a']])", 18],
    ["data.exists() == ['a'].exists()", 17],
  ])('[R66] the array in %s is rejected', (text, offset) =>
    expect(problemsOf(text)).toContain(`${offset}: Unexpected array literal.`),
  );
});

describe('variables', () => {
  test.each([['read'], ['write'], ['validate']] as const)(
    '[R67] auth, now, root, data and wildcards are accepted in .%s',
    (kind) => {
      const text = 'auth != null && now > 0 && root.exists() && data.exists() && $a == $b';
      expect(problemsOf(text, kind, ['$a', '$b'])).toEqual([]);
    },
  );

  test.each([
    ["skies === 'blue'", "0: Unknown variable 'skies'."],
    ["$color == 'red'", "0: Unknown variable '$color'."],
    ['undefined == null', "0: Unknown variable 'undefined'."],
    ['constructor == null', "0: Unknown variable 'constructor'."],
    ['this == null', "0: Unknown variable 'this'."],
  ])('[R67] %s is rejected', (text, problem) => expect(problemsOf(text)).toEqual([problem]));

  test('[R68] newData is rejected in .read, and query is accepted only in .read', () => {
    expect(problemsOf('newData.exists()', 'read')).toEqual(['0: newData is invalid in .read expressions.']);
    expect(problemsOf('newData.exists()', 'write')).toEqual([]);
    expect(problemsOf('newData.exists()', 'validate')).toEqual([]);
    expect(problemsOf('query.orderByKey', 'read')).toEqual([]);
    expect(problemsOf('query.orderByKey', 'write')).toEqual(['0: query is invalid in .write expressions.']);
    expect(problemsOf('query.orderByKey', 'validate')).toEqual([
      '0: query is invalid in .validate expressions.',
    ]);
  });

  test.each([
    ['newdata.exists()', 'write', "0: Unknown variable 'newdata'. Did you mean 'newData'?"],
    ['newdata.exists()', 'read', "0: Unknown variable 'newdata'."],
    ['autth != null', 'read', "0: Unknown variable 'autth'. Did you mean 'auth'?"],
    ["$romo == 'a'", 'read', "0: Unknown variable '$romo'. Did you mean '$room'?"],
    ["data.haschild('a')", 'read', "5: No such method/property 'haschild'. Did you mean 'hasChild'?"],
    ['query.orderBykey', 'read', "6: No such method/property 'orderBykey'. Did you mean 'orderByKey'?"],
    [
      "auth.uid.contain('a')",
      'read',
      "9: Type error: Function call on target that is not a function. Did you mean 'contains'?",
    ],
  ] as const)(
    '[R69] the problem of %s in .%s suggests the nearest name that is valid there, if any',
    (text, kind, problem) => expect(problemsOf(text, kind, ['$room'])).toEqual([problem]),
  );
});

test('[R70] every problem is reported, but not the consequences of a problem', () => {
  const text =
    'foo.bar.baz() && data.vall() > 1 || !now && data.child(bar).hasChildren([1, 2]) && newData == null';
  expect(problemsOf(text, 'read')).toEqual([
    "0: Unknown variable 'foo'.",
    "22: No such method/property 'vall'. Did you mean 'val'?",
    '37: ! only operates on booleans.',
    "55: Unknown variable 'bar'.",
    '73: hasChildren() expects an array of strings.',
    '76: hasChildren() expects an array of strings.',
    '83: newData is invalid in .read expressions.',
    '83: Invalid == expression: left operand is not a number, boolean, string, null.',
  ]);
});

test.each([['foo'], ['foo + 1'], ['-foo == foo'], ['foo[$y]'], ['true ? foo : 1'], ["foo(bar(['a']))"]])(
  '[R70] in %s only the unknown variables are reported',
  (text) => {
    for (const problem of problemsOf(text)) expect(problem).toContain('Unknown variable');
  },
);
