import type { BinaryOperator, Expression } from './expression.ts';
import { QUERY_MEMBERS, SNAPSHOT_MEMBERS, STRING_MEMBERS } from './members.ts';

const BOOLEAN_OPERATORS: ReadonlySet<BinaryOperator> = new Set([
  '&&',
  '||',
  '==',
  '!=',
  '===',
  '!==',
  '<',
  '<=',
  '>',
  '>=',
]);

/** Is an expression of an accepted rule true or false whenever it has a value? */
export function isBooleanExpression(e: Expression): boolean {
  switch (e.kind) {
    case 'literal':
      return typeof e.value === 'boolean';
    case 'unary':
      return e.operator === '!';
    case 'binary':
      return BOOLEAN_OPERATORS.has(e.operator);
    case 'conditional':
      return isBooleanExpression(e.consequent) && isBooleanExpression(e.alternate);
    case 'member':
      return e.target.kind === 'variable' && e.target.name === 'query' && isBooleanQueryMember(e.name);
    case 'call':
      return e.callee.kind === 'member' && isBooleanMethod(e.callee.name);
    default:
      return false;
  }
}

function isBooleanQueryMember(name: string): boolean {
  const member = QUERY_MEMBERS.get(name);
  return member?.kind === 'property' && member.type === 'boolean';
}

function isBooleanMethod(name: string): boolean {
  const method = SNAPSHOT_MEMBERS.get(name) ?? STRING_MEMBERS.get(name);
  return method?.kind === 'method' && method.result === 'boolean';
}
