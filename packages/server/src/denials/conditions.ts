import type { Expression } from '@hearth/core/rules/expression.ts';

/** Is the expression made of conditions, such as `a && b`, rather than a condition itself? */
function isConnective(expression: Expression): boolean {
  switch (expression.kind) {
    case 'binary':
      return expression.operator === '&&' || expression.operator === '||';
    case 'unary':
      return expression.operator === '!';
    case 'conditional':
      return true;
    default:
      return false;
  }
}

/**
 * The rule with each of its conditions, the parts that `&&`, `||`, `!` and `?:` connect, replaced by what `replace` makes
 * of it.
 */
export function replaceConditions(
  expression: Expression,
  replace: (condition: Expression) => Expression,
): Expression {
  if (!isConnective(expression)) return replace(expression);
  const inner = (part: Expression): Expression => replaceConditions(part, replace);
  switch (expression.kind) {
    case 'binary':
      return { ...expression, left: inner(expression.left), right: inner(expression.right) };
    case 'unary':
      return { ...expression, operand: inner(expression.operand) };
    case 'conditional':
      return {
        ...expression,
        condition: inner(expression.condition),
        consequent: inner(expression.consequent),
        alternate: inner(expression.alternate),
      };
    default:
      return expression;
  }
}
