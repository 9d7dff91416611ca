import type { Token } from './token.ts';

const ASSIGNMENTS = [
  ...['=', '+=', '-=', '*=', '/=', '%=', '**=', '&=', '|=', '^=', '<<=', '>>=', '>>>='],
  ...['&&=', '||=', '??='],
];
const OPERATORS = ['^', '~', '<<', '>>', '>>>', '**', '++', '--', '??', '?.', '...', ','];
const OPERATOR_WORDS = ['typeof', 'in', 'instanceof', 'new', 'delete', 'void', 'await', 'yield'];
const STATEMENT_WORDS = [
  ...['var', 'let', 'const', 'if', 'else', 'for', 'while', 'do', 'return', 'switch', 'case', 'default'],
  ...[
    'break',
    'continue',
    'throw',
    'try',
    'catch',
    'finally',
    'with',
    'debugger',
    'import',
    'export',
    'enum',
  ],
];

const ASSIGNMENT = 'Rule expressions may not contain assignments.';
const STATEMENT = 'Rule expressions may not contain statements: a rule is one expression.';
const FUNCTION = 'Rule expressions may not contain functions.';

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ...ASSIGNMENTS.map((symbol) => [symbol, ASSIGNMENT] as const),
  ...OPERATORS.map((symbol) => [symbol, operatorSentence(symbol)] as const),
  ['=>', FUNCTION],
  ['&', `${operatorSentence('&')} Write && for "and".`],
  ['|', `${operatorSentence('|')} Write || for "or".`],
  // Only asked where a value is expected: between two values it is an operator like others.
  ['+', "Rule expressions may not contain operator '+' before a single value."],
  [';', "Rule expressions may not contain ';': a rule is one expression."],
  ['{', 'Rule expressions may not contain object literals.'],
  ['`', 'Rule expressions may not contain template strings. Join strings with +.'],
]);

const WORDS: ReadonlyMap<string, string> = new Map([
  ...OPERATOR_WORDS.map((word) => [word, operatorSentence(word)] as const),
  ...STATEMENT_WORDS.map((word) => [word, STATEMENT] as const),
  ['function', FUNCTION],
  ['class', 'Rule expressions may not contain classes.'],
]);

/** Why a token is nowhere part of a rule, though it is part of JavaScript. */
export function findRejection(token: Token): string | undefined {
  switch (token.kind) {
    case 'symbol':
      return SYMBOLS.get(token.symbol);
    case 'name':
      return WORDS.get(token.name);
    default:
      return undefined;
  }
}

function operatorSentence(operator: string): string {
  return `Rule expressions may not contain operator '${operator}'.`;
}
