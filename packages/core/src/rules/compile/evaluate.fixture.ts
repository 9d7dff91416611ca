import { expect } from 'vitest';
import { parseNodeJson } from '../../tree/node-json.ts';
import { parsePath } from '../../tree/path.ts';
import { NO_QUERY, type Scope } from '../evaluate/scope.ts';
import { type AuthObject, Fault, type QueryVariables, type RuleValue } from '../evaluate/values.ts';
import { NodeTree } from '../evaluate/views.ts';
import { parseExpression } from '../syntax/parser.ts';
import { compileExpression } from './compiler.ts';

/** What an expression is evaluated with. */
export interface Circumstances {
  readonly auth?: AuthObject | null;
  readonly now?: number;
  /** The tree before and after a write, as JSON in export form; nothing if they are left out. */
  readonly before?: string;
  readonly after?: string;
  readonly query?: Partial<QueryVariables>;
  /** Where the rule stands, as `rooms/$room`; at the root if it is left out. */
  readonly location?: string;
  /** The place that it is asked for. */
  readonly path?: string;
}

export function scopeOf({
  auth = null,
  now = 0,
  before = 'null',
  after = 'null',
  query = {},
  path = '',
}: Circumstances): Scope {
  return {
    auth,
    now,
    before: new NodeTree(parseNodeJson(before)),
    after: new NodeTree(parseNodeJson(after)),
    query: { ...NO_QUERY, ...query },
    path: parsePath(path),
  };
}

/** What the text of an expression comes to, observed and not. */
export function evaluateText(text: string, circumstances: Circumstances = {}): RuleValue {
  const location = (circumstances.location ?? '').split('/').filter((name) => name !== '');
  const expression = parseExpression(text, (index) => index);
  const value = compileExpression(expression, location)(scopeOf(circumstances));
  const observer = { enter: () => {}, leave: () => {} };
  expect(compileExpression(expression, location, observer)(scopeOf(circumstances))).toEqual(value);
  return value;
}

/** The part of the text that is to blame, and why. */
export function faultOf(text: string, circumstances: Circumstances = {}): readonly [string, string] {
  const value = evaluateText(text, circumstances);
  if (!(value instanceof Fault)) throw new Error(`${text} comes to ${String(value)}`);
  return [text.slice(value.span.start, value.span.end), value.message];
}
