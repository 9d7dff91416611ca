import { type Rule, type RuleKind, wildcardsOf } from '../evaluate/rule-set.ts';
import type { ArrayLiteral, Call, Expression, Variable } from '../syntax/expression.ts';
import { didYouMean, type Hint, type Problem, quoteName, type Report } from '../syntax/problems.ts';
import { checkArguments, findMembers, type KnownMethod, memberType, subscriptType } from './members.ts';
import { binaryType, conditionalType, unaryType } from './operators.ts';
import { BOOLEANS, type RuleType, STRINGS, VARIABLES } from './rule-type.ts';

/** The rule that contains an expression, and the receivers of its problems and types. */
interface Context {
  readonly kind: RuleKind;
  /** Names of the wildcards at and above the rule, including their `$`. */
  readonly wildcards: readonly string[];
  readonly report: Report;
  /** Receives every sub-expression that has a type. */
  readonly notify?: (part: Expression, type: RuleType) => void;
}

/**
 * Returns all type problems of an expression that is used as a rule. The consequences of a problem are not
 * reported as further problems. `wildcards` are the names of the wildcards at and above the rule, including
 * their `$`.
 */
export function checkRule(
  kind: RuleKind,
  expression: Expression,
  wildcards: readonly string[],
): readonly Problem[] {
  const problems: Problem[] = [];
  const report: Report = (offset, message, hint) => problems.push({ offset, message, hint });
  const type = typeOf(expression, { kind, wildcards, report });
  if (!BOOLEANS.has(type)) report(expression.span.start, 'Expression must evaluate to a boolean.');
  return problems;
}

/**
 * Returns the sub-expressions of an accepted rule that have the type boolean, including the whole rule. Each of them
 * evaluates to true, false or a fault.
 */
export function findBooleanParts({ kind, location, expression }: Rule): ReadonlySet<Expression> {
  const found = new Set<Expression>();
  typeOf(expression, {
    kind,
    wildcards: wildcardsOf(location),
    report: () => {},
    notify: (part, type) => {
      if (type === 'boolean') found.add(part);
    },
  });
  return found;
}

function typeOf(expression: Expression, context: Context): RuleType {
  const type = findType(expression, context);
  context.notify?.(expression, type);
  return type;
}

function findType(expression: Expression, context: Context): RuleType {
  const { report } = context;
  switch (expression.kind) {
    case 'literal':
      return typeOfScalar(expression.value);
    case 'regular-expression':
      return 'regular-expression';
    case 'variable':
      return typeOfVariable(expression, context);
    case 'member':
      return memberType(expression, typeOf(expression.target, context), report);
    case 'subscript': {
      const target = typeOf(expression.target, context);
      return subscriptType(expression, target, typeOf(expression.key, context), report);
    }
    case 'call':
      return typeOfCall(expression, context);
    case 'array':
      report(expression.span.start, 'Unexpected array literal.');
      for (const item of expression.items) typeOf(item, context);
      return 'unknown';
    case 'unary':
      return unaryType(expression, typeOf(expression.operand, context), report);
    case 'binary': {
      const left = typeOf(expression.left, context);
      return binaryType(expression, left, typeOf(expression.right, context), report);
    }
    case 'conditional': {
      const condition = typeOf(expression.condition, context);
      const consequent = typeOf(expression.consequent, context);
      const alternate = typeOf(expression.alternate, context);
      return conditionalType(expression, condition, consequent, alternate, report);
    }
    default:
      return expression satisfies never;
  }
}

function typeOfScalar(value: boolean | number | string | null): RuleType {
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return 'number';
    case 'string':
      return 'string';
    default:
      return 'null';
  }
}

function typeOfVariable({ name, span }: Variable, { kind, wildcards, report }: Context): RuleType {
  if (wildcards.includes(name)) return 'string';
  const variable = VARIABLES.get(name);
  if (variable === undefined) {
    report(span.start, `Unknown variable ${quoteName(name)}.`, () =>
      didYouMean(name, [...variablesOf(kind), ...wildcards]),
    );
    return 'unknown';
  }
  if (!variable.kinds.includes(kind)) report(span.start, `${name} is invalid in .${kind} expressions.`);
  return variable.type;
}

function variablesOf(kind: RuleKind): readonly string[] {
  return [...VARIABLES].filter(([, { kinds }]) => kinds.includes(kind)).map(([name]) => name);
}

function typeOfCall(call: Call, context: Context): RuleType {
  const { callee } = call;
  if (callee.kind !== 'member') return typeOfInvalidCall(call, typeOf(callee, context), context);
  const target = typeOf(callee.target, context);
  const members = findMembers(target);
  const method = members?.get(callee.name);
  if (method?.kind === 'method') return typeOfMethodCall(callee.name, method, call, context);
  const type = memberType(callee, target, context.report);
  return typeOfInvalidCall(call, type, context, () => didYouMean(callee.name, members?.keys() ?? []));
}

function typeOfMethodCall(name: string, method: KnownMethod, call: Call, context: Context): RuleType {
  const types = call.args.map((argument) =>
    argument.kind === 'array' && method.parameters === 'children'
      ? typeOfNames(name, argument, context)
      : typeOf(argument, context),
  );
  checkArguments(name, method, call, types, context.report);
  return method.result;
}

function typeOfNames(method: string, array: ArrayLiteral, context: Context): RuleType {
  for (const item of array.items)
    if (!STRINGS.has(typeOf(item, context)))
      context.report(item.span.start, `${method}() expects an array of strings.`);
  return 'array';
}

/** Reports a call whose callee is not a method, and the problems of the arguments. */
function typeOfInvalidCall({ callee, args }: Call, type: RuleType, context: Context, hint?: Hint): RuleType {
  if (type !== 'unknown') {
    const { start } = callee.kind === 'member' ? callee.nameSpan : callee.span;
    context.report(start, 'Type error: Function call on target that is not a function.', hint);
  }
  for (const argument of args.flatMap((given) => (given.kind === 'array' ? given.items : [given])))
    typeOf(argument, context);
  return 'unknown';
}
