import type { Expression } from './expression.ts';

/** The expressions that an expression is directly made of, in the order of the text. */
export function subExpressions(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'regular-expression':
    case 'variable':
      return [];
    case 'member':
      return [expression.target];
    case 'subscript':
      return [expression.target, expression.key];
    case 'call':
      return [expression.callee, ...expression.args];
    case 'array':
      return expression.items;
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.condition, expression.consequent, expression.alternate];
    default:
      return expression satisfies never;
  }
}
