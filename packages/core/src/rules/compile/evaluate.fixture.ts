import { expect } from 'vitest';
import { parseNodeJson } from '../../tree/node-json.ts';
import { parsePath } from '../../tree/path.ts';
import { NO_QUERY, type Scope } from '../evaluate/scope.ts';
import { type AuthObject, Fault, type QueryVariables, type RuleValue } from '../evaluate/values.ts';
import { NodeTree } from '../evaluate/views.ts';
import { parseExpression } from '../syntax/parser.ts';
import { compileExpression } from './compiler.ts';

/** The inputs of an evaluation. */
export interface EvaluationInputs {
  readonly auth?: AuthObject | null;
  readonly now?: number;
  /** The tree before the write, as JSON in export form. The default is an empty tree. */
  readonly before?: string;
  /** The tree after the write. The default is an empty tree. */
  readonly after?: string;
  readonly query?: Partial<QueryVariables>;
  /** The location of the rule, such as `rooms/$room`. The default is the root. */
  readonly location?: string;
  /** The path for which the rule is evaluated. */
  readonly path?: string;
}

export function scopeOf({
  auth = null,
  now = 0,
  before = 'null',
  after = 'null',
  query = {},
  path = '',
}: EvaluationInputs): Scope {
  return {
    auth,
    now,
    before: new NodeTree(parseNodeJson(before)),
    after: new NodeTree(parseNodeJson(after)),
    query: { ...NO_QUERY, ...query },
    path: parsePath(path),
  };
}

/**
 * Returns the value of an expression. Evaluates it with and without an observer, and expects the same value.
 */
export function evaluateText(text: string, inputs: EvaluationInputs = {}): RuleValue {
  const location = (inputs.location ?? '').split('/').filter((name) => name !== '');
  const expression = parseExpression(text, (index) => index);
  const value = compileExpression(expression, location)(scopeOf(inputs));
  const observer = { enter: () => {}, leave: () => {} };
  expect(compileExpression(expression, location, observer)(scopeOf(inputs))).toEqual(value);
  return value;
}

/**
 * Returns the part of the text that causes the fault, and the message. Throws if the expression has a value.
 */
export function faultOf(text: string, inputs: EvaluationInputs = {}): readonly [string, string] {
  const value = evaluateText(text, inputs);
  if (!(value instanceof Fault)) throw new Error(`${text} evaluates to ${String(value)}`);
  return [text.slice(value.span.start, value.span.end), value.message];
}
