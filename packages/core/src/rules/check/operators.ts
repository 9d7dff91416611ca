import type { Binary, BinaryOperator, Conditional, Unary } from '../syntax/expression.ts';
import type { Report } from '../syntax/problems.ts';
import {
  BOOLEANS,
  BRANCHES,
  COMPARABLE,
  commonType,
  NUMBERS,
  NUMBERS_AND_STRINGS,
  type RuleType,
  sumType,
  type TypeSet,
} from './rule-type.ts';

/** Returns the type of a unary operation. Reports an operand that the operator does not accept. */
export function unaryType({ operator, operand }: Unary, type: RuleType, report: Report): RuleType {
  if (operator === '!') {
    if (!BOOLEANS.has(type)) report(operand.span.start, '! only operates on booleans.');
    return 'boolean';
  }
  if (!NUMBERS.has(type)) report(operand.span.start, '- only operates on numbers.');
  return 'number';
}

/** Returns the type of a binary operation. Reports each operand that the operator does not accept. */
export function binaryType(binary: Binary, left: RuleType, right: RuleType, report: Report): RuleType {
  const { operator } = binary;
  const operands = operandsOf(operator);
  if (!operands.accepted.has(left)) report(binary.left.span.start, operands.leftProblem);
  if (!operands.accepted.has(right)) report(binary.right.span.start, operands.rightProblem);
  return operator === '+' ? sumType(left, right) : operands.result;
}

interface Operands {
  readonly accepted: TypeSet;
  readonly result: RuleType;
  readonly leftProblem: string;
  readonly rightProblem: string;
}

function operandsOf(operator: BinaryOperator): Operands {
  switch (operator) {
    case '||':
    case '&&':
      return {
        accepted: BOOLEANS,
        result: 'boolean',
        leftProblem: `Left operand of ${operator} must be boolean.`,
        rightProblem: `Right operand of ${operator} must be boolean.`,
      };
    case '==':
    case '===': {
      const operands = operandsThat(
        operator,
        'is not a number, boolean, string, or null.',
        COMPARABLE,
        'boolean',
      );
      // The hosted service omits "or" in this sentence. Tools and tests compare its exact sentences.
      return { ...operands, leftProblem: operands.leftProblem.replace('or null', 'null') };
    }
    case '!=':
    case '!==':
      return operandsThat(operator, 'is not a number, boolean, string, or null.', COMPARABLE, 'boolean');
    case '<':
    case '<=':
    case '>':
    case '>=':
      return operandsThat(operator, 'must be a number or string.', NUMBERS_AND_STRINGS, 'boolean');
    case '+':
      return operandsThat(operator, 'is not a number or string.', NUMBERS_AND_STRINGS, 'value');
    case '-':
    case '*':
    case '/':
    case '%':
      return operandsThat(operator, 'is not a number.', NUMBERS, 'number');
    default:
      return operator satisfies never;
  }
}

/**
 * Returns the operands of an operator. `problem` ends the sentence about an operand that the operator does not
 * accept.
 */
function operandsThat(
  operator: BinaryOperator,
  problem: string,
  accepted: TypeSet,
  result: RuleType,
): Operands {
  return {
    accepted,
    result,
    leftProblem: `Invalid ${operator} expression: left operand ${problem}`,
    rightProblem: `Invalid ${operator} expression: right operand ${problem}`,
  };
}

/** Returns the type of `?:`. Reports a condition and branches that `?:` does not accept. */
export function conditionalType(
  conditional: Conditional,
  condition: RuleType,
  consequent: RuleType,
  alternate: RuleType,
  report: Report,
): RuleType {
  if (!BOOLEANS.has(condition)) report(conditional.condition.span.start, 'condition of ? must be boolean.');
  let isSound = true;
  for (const [branch, type] of [
    [conditional.consequent, consequent],
    [conditional.alternate, alternate],
  ] as const)
    if (!BRANCHES.has(type)) {
      report(branch.span.start, 'branches of ? must be values.');
      isSound = false;
    }
  return isSound ? commonType(consequent, alternate) : 'unknown';
}
