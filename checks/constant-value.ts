import type { Expression, ObjectExpression } from 'oxc-parser';
import { declarationsOf, type ModuleDeclarations } from './module-declarations.ts';

/**
 * Returns the value of a constant that consists of numbers, texts, and lists and records of them. Other parts have
 * the value `undefined`, and so has a constant that does not exist. A dot leads to a member: `LIMITS.total`.
 */
export function constantValue(module: ModuleDeclarations, name: string): unknown {
  const [first = '', ...members] = name.split('.');
  const expression = module.constants.get(first);
  const imported = module.imports.get(first);
  const whole =
    expression !== undefined
      ? evaluate(module, expression)
      : imported && constantValue(declarationsOf(imported.path), imported.name);
  return members.reduce(memberOf, whole);
}

function evaluate(module: ModuleDeclarations, expression: Expression): unknown {
  switch (expression.type) {
    case 'Literal':
      return 'value' in expression ? expression.value : undefined;
    case 'Identifier':
      return constantValue(module, expression.name);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return evaluate(module, expression.expression);
    case 'UnaryExpression':
      return expression.operator === '-' ? -Number(evaluate(module, expression.argument)) : undefined;
    case 'BinaryExpression':
      return expression.left.type === 'PrivateIdentifier'
        ? undefined
        : calculate(
            evaluate(module, expression.left),
            expression.operator,
            evaluate(module, expression.right),
          );
    case 'MemberExpression':
      return expression.property.type === 'Identifier' && !expression.computed
        ? memberOf(evaluate(module, expression.object), expression.property.name)
        : undefined;
    case 'ArrayExpression':
      return expression.elements.flatMap((element) => {
        if (element === null) return [];
        if (element.type === 'SpreadElement') return evaluate(module, element.argument);
        return [evaluate(module, element)];
      });
    case 'ObjectExpression':
      return Object.fromEntries(entriesOf(module, expression));
    case 'NewExpression': {
      // A set or a map has the value of its argument.
      const [only] = expression.arguments;
      return only === undefined || only.type === 'SpreadElement' ? undefined : evaluate(module, only);
    }
    default:
      return undefined;
  }
}

function entriesOf(
  module: ModuleDeclarations,
  { properties }: ObjectExpression,
): readonly [string, unknown][] {
  return properties.flatMap((property): [string, unknown][] => {
    if (property.type === 'SpreadElement') return Object.entries(Object(evaluate(module, property.argument)));
    const { key, value } = property;
    const name =
      key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
    return name === undefined ? [] : [[name, evaluate(module, value)]];
  });
}

function calculate(a: unknown, operator: string, b: unknown): unknown {
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '**':
      return a ** b;
    case '<<':
      return a << b;
    default:
      return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return Object.entries(Object(value)).find(([key]) => key === name)?.[1];
}
