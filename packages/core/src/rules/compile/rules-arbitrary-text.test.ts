import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestError } from '../../error/request-error.ts';
import type { Expression } from '../syntax/expression.ts';
import { parseExpression, parsePrintedExpression } from '../syntax/parser.ts';
import { printExpression } from '../syntax/printer.ts';
import { ExpressionSyntaxError } from '../syntax/problems.ts';
import { withoutSpans } from '../syntax/without-spans.fixture.ts';
import { parseRules } from './rules.ts';

/** Tests run in Node, but this package is compiled without Node types. */
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

/** Set `HEARTH_FUZZ_RUNS` to try more texts, and `HEARTH_FUZZ_SEED` to try other texts. */
const RUNS = Number(process.env['HEARTH_FUZZ_RUNS'] ?? 2_000);
const SEED = Number(process.env['HEARTH_FUZZ_SEED'] ?? 20_260_101);

const EXPRESSIONS = [
  'auth != null && auth.uid === $user',
  "root.child('rooms/' + $room).child('members').child(auth.uid).exists()",
  "newData.hasChildren(['name', \"text\"]) && newData.child('text').val().length <= 500",
  '!data.exists() || data.val() === newData.val() ? now - 1000 < newData.val() : false',
  'newData.val().matches(/^[a-z0-9._%+-]+@([\\w-]{1,20}\\.)+[a-z]{2,}$/i)',
  "query.orderByChild == 'owner' && query.limitToFirst <= 50 // bounded",
  "(auth.token['admin'] == true) /* staff */ || -data.val() * 2.5e1 % 3 > .5",
  "data.parent().child($key).val().replace('\\u0041', '\\'').toLowerCase().contains('b')",
];

const DOCUMENTS = EXPRESSIONS.map(
  (expression) => `{
  // for tests
  "rules": {
    ".read": ${JSON.stringify(expression)},
    "rooms": { "$room": { "$user": { ".validate": ${JSON.stringify(expression)}, ".write": false } } },
    "list": { ".indexOn": ["owner", ".value"] }
  }
}`,
);

const SNIPPETS = [
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    "'",
    '"',
    '`',
    '/',
    '\\',
    '//',
    '/*',
    '*/',
    '.',
    ',',
    ';',
    ':',
    '?',
    '!',
    '-',
  ],
  ...[
    '=',
    '==',
    '&',
    '&&',
    '|',
    '||',
    '<<',
    '**',
    '++',
    '=>',
    '...',
    '^',
    '$',
    '*',
    '+',
    '{2,3}',
    '(?=',
    '\\b',
    '\\u',
  ],
  ...[
    '0',
    '1e',
    '0x',
    '999',
    'null',
    'true',
    'in',
    'var',
    'function',
    'auth',
    '$a',
    '__proto__',
    ' ',
    '\n',
    '\u2028',
  ],
  ...[
    '"rules"',
    '".read"',
    '"$a"',
    '\u0000',
    '\ud800',
    '\u{1f600}',
    '('.repeat(200),
    '!'.repeat(300),
    '.a'.repeat(1_500),
  ],
];

/**
 * Replaces some characters by a snippet or by another part of the text. A position is in thousandths of the text;
 * `removed` and `length` are in UTF-16 code units.
 */
interface Edit {
  readonly position: number;
  readonly removed: number;
  readonly added: string | { readonly position: number; readonly length: number };
}

const position = fc.nat(1_000);

const editArbitrary: fc.Arbitrary<Edit> = fc.record({
  position,
  removed: fc.oneof(fc.constant(0), fc.nat(4), fc.nat(40)),
  added: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('', ...SNIPPETS) },
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.record({ position, length: fc.nat(40) }),
  ),
});

function edit(text: string, { position, removed, added }: Edit): string {
  const at = (thousandths: number) => Math.floor((thousandths * text.length) / 1_000);
  const from = at(position);
  const inserted =
    typeof added === 'string' ? added : text.slice(at(added.position), at(added.position) + added.length);
  return text.slice(0, from) + inserted + text.slice(from + removed);
}

function edited(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('', ...texts), fc.array(editArbitrary, { maxLength: 5 }))
    .map(([text, edits]) => edits.reduce(edit, text));
}

/** Returns `undefined` for a text that is rejected with the documented error. */
function parseOrReject(text: string): Expression | undefined {
  try {
    return parseExpression(text, (index) => index);
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    expect(error.offset).toBeGreaterThanOrEqual(0);
    expect(error.offset).toBeLessThanOrEqual(text.length);
    expect(error.message).toMatch(/^\P{Cc}+\.$/u);
    return undefined;
  }
}

test('[R36] any text has a syntax error, or is an expression that is the same after printing and parsing', () => {
  let accepted = 0;
  fc.assert(
    fc.property(edited(EXPRESSIONS), (text) => {
      const expression = parseOrReject(text);
      if (expression === undefined) return;
      accepted++;
      const again = parsePrintedExpression(printExpression(expression));
      expect(withoutSpans(again)).toEqual(withoutSpans(expression));
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(accepted).toBeGreaterThan(RUNS / 20);
  expect(accepted).toBeLessThan(RUNS);
});

test('[R36] any text is a rules document or is rejected with the documented error', () => {
  fc.assert(
    fc.property(edited(DOCUMENTS), (text) => {
      try {
        parseRules(text);
      } catch (error) {
        if (!(error instanceof RequestError) || error.code !== 'rules/invalid') throw error;
        expect(error.message).toMatch(/^(\d+:\d+: \P{Cc}+\n)+(and \d+ more problems\n)?$/u);
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
});
