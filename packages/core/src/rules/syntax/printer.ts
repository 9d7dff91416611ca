import {
  type Expression,
  HIGHEST_PRECEDENCE,
  type Literal,
  LOWEST_PRECEDENCE,
  type Member,
  PRECEDENCE,
  precedenceOf,
  UNARY_PRECEDENCE,
  type Unary,
} from './expression.ts';
import { printString } from './lexer.ts';

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/**
 * Prints an expression on one line, with only the parentheses it needs. Except for the spans,
 * `parsePrintedExpression` parses the text to the same tree. Number literals must not be negative: the minus
 * sign is an operator.
 */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return printLiteral(expression);
    case 'regular-expression':
      return `/${expression.pattern.source}/${expression.pattern.ignoresCase ? 'i' : ''}`;
    case 'variable':
      return expression.name;
    case 'member':
      return `${printTarget(expression.target)}${printMemberName(expression)}`;
    case 'subscript':
      return `${printTarget(expression.target)}[${printExpression(expression.key)}]`;
    case 'call':
      return `${printTarget(expression.callee)}(${printList(expression.args)})`;
    case 'array':
      return `[${printList(expression.items)}]`;
    case 'unary':
      return printUnary(expression);
    case 'binary': {
      const { operator, left, right } = expression;
      const precedence = PRECEDENCE[operator];
      return `${printOperand(left, precedence)} ${operator} ${printOperand(right, precedence + 1)}`;
    }
    case 'conditional': {
      const { condition, consequent, alternate } = expression;
      const test = printOperand(condition, LOWEST_PRECEDENCE + 1);
      return `${test} ? ${printExpression(consequent)} : ${printExpression(alternate)}`;
    }
    default:
      return expression satisfies never;
  }
}

function printLiteral({ value }: Literal): string {
  return typeof value === 'string' ? printString(value) : String(value);
}

/** Prints an operand, in parentheses if it binds looser than `minPrecedence`. */
function printOperand(expression: Expression, minPrecedence: number): string {
  const text = printExpression(expression);
  return precedenceOf(expression) < minPrecedence ? `(${text})` : text;
}

/**
 * Prints an expression so that a member access can follow it. A number gets parentheses, because a dot after
 * it would be a decimal point.
 */
function printTarget(target: Expression): string {
  const isNumber = target.kind === 'literal' && typeof target.value === 'number';
  return isNumber ? `(${printLiteral(target)})` : printOperand(target, HIGHEST_PRECEDENCE);
}

function printMemberName({ name }: Member): string {
  return NAME.test(name) ? `.${name}` : `[${printString(name)}]`;
}

function printUnary({ operator, operand }: Unary): string {
  const text = printOperand(operand, UNARY_PRECEDENCE);
  // Two minus signs without a space would form another operator, `--`.
  return operator === '-' && text.startsWith('-') ? `- ${text}` : `${operator}${text}`;
}

function printList(expressions: readonly Expression[]): string {
  return expressions.map(printExpression).join(', ');
}
