import {
  type Expression,
  isBinaryOperator,
  LOWEST_PRECEDENCE,
  PRECEDENCE,
  subExpressions,
} from './expression.ts';
import { readToken, type Token } from './lexer.ts';
import { ExpressionSyntaxError, type Locate, type Span } from './problems.ts';
import { parseRegularExpression } from './regular-expression-parser.ts';

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

const REJECTED_SYMBOLS: ReadonlyMap<string, string> = new Map([
  ...ASSIGNMENTS.map((symbol) => [symbol, ASSIGNMENT] as const),
  ...OPERATORS.map((symbol) => [symbol, operatorMessage(symbol)] as const),
  ['=>', FUNCTION],
  ['&', `${operatorMessage('&')} Write && for "and".`],
  ['|', `${operatorMessage('|')} Write || for "or".`],
  // Applies only where a value is expected. Between two values, `+` is a valid operator.
  ['+', "Rule expressions may not contain operator '+' before a single value."],
  [';', "Rule expressions may not contain ';': a rule is one expression."],
  ['{', 'Rule expressions may not contain object literals.'],
  ['`', 'Rule expressions may not contain template strings. Join strings with +.'],
]);

const REJECTED_WORDS: ReadonlyMap<string, string> = new Map([
  ...OPERATOR_WORDS.map((word) => [word, operatorMessage(word)] as const),
  ...STATEMENT_WORDS.map((word) => [word, STATEMENT] as const),
  ['function', FUNCTION],
  ['class', 'Rule expressions may not contain classes.'],
]);

/**
 * Returns the message that explains why a rule may not contain this token here, or `undefined` if the token needs no
 * special explanation. Call it only for a token that the parser does not accept.
 */
function findTokenError(token: Token): string | undefined {
  switch (token.kind) {
    case 'symbol':
      return REJECTED_SYMBOLS.get(token.symbol);
    case 'name':
      return REJECTED_WORDS.get(token.name);
    default:
      return undefined;
  }
}

function operatorMessage(operator: string): string {
  return `Rule expressions may not contain operator '${operator}'.`;
}

/** Maximum length of an expression, in UTF-16 code units. */
export const MAX_EXPRESSION_LENGTH = 65_536;

/** Maximum nesting depth of parentheses, brackets, `!`, `-` and `?:`. It limits the stack of this parser. */
export const MAX_NESTING = 100;

/**
 * Maximum depth of the expression tree. Chains of operators and members count too, because functions that
 * walk the tree recurse once per level.
 */
export const MAX_LEVELS = 1_000;

/**
 * Maximum number of parts of an expression. Each variable, value, operator, member and call is one part. It
 * limits the cost of evaluation.
 */
export const MAX_PARTS = 10_000;

/**
 * Parses one expression of the rules language: a subset of the grammar of ECMAScript 3, with the same
 * precedence. `locate` maps offsets in `text` to offsets in the document, which the spans use. Throws an
 * `ExpressionSyntaxError` for the first part of the text that is not valid in the language.
 */
export function parseExpression(text: string, locate: Locate): Expression {
  if (text.length > MAX_EXPRESSION_LENGTH)
    throw new ExpressionSyntaxError(
      locate(0),
      `The expression is longer than ${MAX_EXPRESSION_LENGTH} characters.`,
    );
  const expression = new ExpressionParser(text, locate, MAX_NESTING).parse();
  checkLevels(expression, 1);
  return expression;
}

/**
 * Parses the text that `printExpression` produces for an accepted expression. That text may be longer than the
 * original and may have different parentheses, so only the limit on the number of parts applies.
 */
export function parsePrintedExpression(text: string): Expression {
  return new ExpressionParser(text, (index) => index, Number.POSITIVE_INFINITY).parse();
}

function checkLevels(expression: Expression, level: number): void {
  if (level > MAX_LEVELS)
    throw new ExpressionSyntaxError(
      expression.span.start,
      `The expression is more than ${MAX_LEVELS} operators, members or calls deep. Group long chains of operators with parentheses.`,
    );
  for (const part of subExpressions(expression)) checkLevels(part, level + 1);
}

class ExpressionParser {
  readonly #text: string;
  readonly #locate: Locate;
  readonly #maxNesting: number;
  #token: Token;
  /** End of the last consumed token, as an index in the text. */
  #end = 0;
  #nesting = 0;
  #parts = 0;

  constructor(text: string, locate: Locate, maxNesting: number) {
    this.#text = text;
    this.#locate = locate;
    this.#maxNesting = maxNesting;
    this.#token = readToken(text, 0, 'operand', locate);
  }

  parse(): Expression {
    const expression = this.#parseConditional();
    // The hosted service has this sentence, although a rule contains no statements.
    if (this.#token.kind !== 'end') throw this.#unexpected('missing ; before statement');
    return expression;
  }

  #parseConditional(): Expression {
    this.#enter();
    const { start } = this.#token;
    const condition = this.#parseBinary(LOWEST_PRECEDENCE);
    const expression = this.#isSymbol('?') ? this.#parseBranches(start, condition) : condition;
    this.#nesting--;
    return expression;
  }

  #parseBranches(start: number, condition: Expression): Expression {
    this.#advance();
    const consequent = this.#parseConditional();
    this.#expect(':', 'missing : in conditional expression');
    const alternate = this.#parseConditional();
    return this.#part({ kind: 'conditional', span: this.#spanFrom(start), condition, consequent, alternate });
  }

  /** Parses a chain of operands and binary operators that bind tighter than `outerPrecedence`. */
  #parseBinary(outerPrecedence: number): Expression {
    const { start } = this.#token;
    let left = this.#parseUnary();
    while (this.#token.kind === 'symbol') {
      const operator = this.#token.symbol;
      if (!isBinaryOperator(operator) || PRECEDENCE[operator] <= outerPrecedence) break;
      this.#advance();
      const right = this.#parseBinary(PRECEDENCE[operator]);
      left = this.#part({ kind: 'binary', span: this.#spanFrom(start), operator, left, right });
    }
    return left;
  }

  #parseUnary(): Expression {
    const operator = this.#isSymbol('!') ? '!' : this.#isSymbol('-') ? '-' : undefined;
    if (operator === undefined) return this.#parsePostfix();
    this.#enter();
    const { start } = this.#token;
    this.#advance();
    const operand = this.#parseUnary();
    this.#nesting--;
    return this.#part({ kind: 'unary', span: this.#spanFrom(start), operator, operand });
  }

  #parsePostfix(): Expression {
    const { start } = this.#token;
    let target = this.#parsePrimary();
    for (;;) {
      if (this.#isSymbol('.')) target = this.#parseMember(start, target);
      else if (this.#isSymbol('[')) target = this.#parseSubscript(start, target);
      else if (this.#isSymbol('(')) target = this.#parseCall(start, target);
      else return target;
    }
  }

  #parseMember(start: number, target: Expression): Expression {
    this.#advance();
    const token = this.#token;
    if (token.kind !== 'name') throw this.#unexpected('missing name after . operator');
    this.#advance();
    const nameSpan = this.#spanFrom(token.start);
    return this.#part({ kind: 'member', span: this.#spanFrom(start), target, name: token.name, nameSpan });
  }

  #parseSubscript(start: number, target: Expression): Expression {
    this.#advance();
    const key = this.#parseConditional();
    this.#expect(']', 'missing ] in index expression');
    const span = this.#spanFrom(start);
    if (key.kind === 'literal' && typeof key.value === 'string')
      return this.#part({ kind: 'member', span, target, name: key.value, nameSpan: key.span });
    return this.#part({ kind: 'subscript', span, target, key });
  }

  #parseCall(start: number, callee: Expression): Expression {
    this.#advance();
    const args = this.#parseList(')', 'missing ) after argument list');
    return this.#part({ kind: 'call', span: this.#spanFrom(start), callee, args });
  }

  #parsePrimary(): Expression {
    const token = this.#token;
    switch (token.kind) {
      case 'number':
      case 'string':
        return this.#parseLiteral(token.value);
      case 'regular-expression':
        return this.#parseRegularExpression(token.source, token.flags);
      case 'name':
        return this.#parseName(token.name);
      case 'symbol':
        if (token.symbol === '(') return this.#parseParentheses();
        if (token.symbol === '[') return this.#parseArray();
        throw this.#unexpected('syntax error: a value is missing');
      case 'end':
        throw this.#unexpected('a value is missing');
      default:
        return token satisfies never;
    }
  }

  #parseLiteral(value: boolean | number | string | null): Expression {
    const { start } = this.#token;
    this.#advance();
    return this.#part({ kind: 'literal', span: this.#spanFrom(start), value });
  }

  #parseRegularExpression(source: string, flags: string): Expression {
    const { start } = this.#token;
    const pattern = parseRegularExpression(source, flags, (index) => this.#locate(start + 1 + index));
    this.#advance();
    return this.#part({ kind: 'regular-expression', span: this.#spanFrom(start), pattern });
  }

  #parseName(name: string): Expression {
    if (name === 'null') return this.#parseLiteral(null);
    if (name === 'true' || name === 'false') return this.#parseLiteral(name === 'true');
    if (findTokenError(this.#token) !== undefined) throw this.#unexpected('syntax error');
    const { start } = this.#token;
    this.#advance();
    return this.#part({ kind: 'variable', span: this.#spanFrom(start), name });
  }

  #parseParentheses(): Expression {
    this.#advance();
    const expression = this.#parseConditional();
    this.#expect(')', 'missing ) in parenthetical');
    return expression;
  }

  #parseArray(): Expression {
    const { start } = this.#token;
    this.#advance();
    const items = this.#parseList(']', 'missing ] after element list');
    return this.#part({ kind: 'array', span: this.#spanFrom(start), items });
  }

  #parseList(closing: string, problem: string): readonly Expression[] {
    const items: Expression[] = [];
    if (!this.#isSymbol(closing)) {
      items.push(this.#parseConditional());
      while (this.#isSymbol(',')) {
        this.#advance();
        items.push(this.#parseConditional());
      }
    }
    this.#expect(closing, problem);
    return items;
  }

  #enter(): void {
    if (++this.#nesting > this.#maxNesting)
      throw this.#fail(`The expression is nested more than ${MAX_NESTING} levels deep.`);
  }

  /**
   * Counts one part of the expression and returns it. Throws an `ExpressionSyntaxError` above `MAX_PARTS`.
   */
  #part(expression: Expression): Expression {
    if (++this.#parts > MAX_PARTS) throw this.#fail(`The expression has more than ${MAX_PARTS} parts.`);
    return expression;
  }

  #isSymbol(symbol: string): boolean {
    return this.#token.kind === 'symbol' && this.#token.symbol === symbol;
  }

  #expect(symbol: string, problem: string): void {
    if (!this.#isSymbol(symbol)) throw this.#unexpected(problem);
    this.#advance();
  }

  #advance(): void {
    const token = this.#token;
    this.#end = token.end;
    const endsOperand = token.kind === 'symbol' ? token.symbol === ')' || token.symbol === ']' : true;
    this.#token = readToken(this.#text, token.end, endsOperand ? 'operator' : 'operand', this.#locate);
  }

  /** Returns the span from an index in the text to the end of the last consumed token. */
  #spanFrom(start: number): Span {
    return { start: this.#locate(start), end: this.#locate(this.#end) };
  }

  /**
   * Returns the error for the current token. The message is the explanation from `findTokenError` if there is one, and
   * `problem` otherwise.
   */
  #unexpected(problem: string): ExpressionSyntaxError {
    const { kind, start, end } = this.#token;
    if (kind === 'end') return this.#fail(`Unexpected end of expression: ${problem}.`);
    const found = this.#text.slice(start, Math.min(end, start + 40)).replace(/[\s\p{Cc}]+/gu, ' ');
    return this.#fail(findTokenError(this.#token) ?? `${problem}, found '${found}'.`);
  }

  #fail(message: string): ExpressionSyntaxError {
    return new ExpressionSyntaxError(this.#locate(this.#token.start), message);
  }
}
