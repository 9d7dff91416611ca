import type { Evaluate } from '../evaluate/rule-set.ts';
import { Fault, RuleSnapshot, type RuleValue } from '../evaluate/values.ts';
import { spendWork, tooMuchWorkFault } from '../evaluate/work-budget.ts';
import { RegularExpressionMatcher } from '../regex/matcher.ts';
import type { Expression, Member, Subscript } from '../syntax/expression.ts';
import type { Span } from '../syntax/problems.ts';
import { malformed, operandFaults } from './faults.ts';
import type { PathResolver } from './paths.ts';
import { findText, replaceText, tooLongText } from './text.ts';

/** A method call whose target and arguments are not compiled yet. */
export interface MethodCall {
  readonly name: string;
  readonly span: Span;
  readonly target: Expression;
  readonly args: readonly Expression[];
  readonly compile: (e: Expression) => Evaluate;
  /**
   * Finds the path templates of expressions. `null` if the rules are compiled for an observer, because an observer
   * needs the value of every sub-expression.
   */
  readonly paths: PathResolver | null;
  /** Depth of the rule's location below the root. */
  readonly depth: number;
}

export type CompileMethod = (call: MethodCall) => Evaluate;

/** Compiles `target.name`, where the target is `auth`, a value inside `auth`, or `query`. */
export function compileProperty(e: Member, target: Evaluate): Evaluate {
  const { name } = e;
  return (scope) => findProperty(target(scope), name);
}

/** Compiles `auth.name`. The value is `null` for callers that are not signed in and for a missing property. */
export function compileClaim(name: string): Evaluate {
  return ({ auth }) => (auth === null ? null : findOwn(auth, name));
}

/** Compiles `target[key]`, where the target is `auth` or a value inside `auth`. */
export function compileSubscript(e: Subscript, target: Evaluate, key: Evaluate): Evaluate {
  const failKey = operandFaults(e.key.span, 'The subscript in [ ]', 'a string or a number');
  return (scope) => {
    const object = target(scope);
    if (object instanceof Fault) return object;
    const name = key(scope);
    if (typeof name !== 'string' && typeof name !== 'number') return failKey(name);
    return findProperty(object, String(name));
  };
}

/**
 * Returns a property. A missing property is `null`, and so is any property of a value that is not an object.
 */
function findProperty(target: RuleValue, name: string): RuleValue {
  if (target instanceof Fault) return target;
  if (typeof target !== 'object' || target === null || target instanceof RuleSnapshot) return null;
  return findOwn(target, name);
}

function findOwn(object: object, name: string): RuleValue {
  return Object.hasOwn(object, name)
    ? ruleValueOf((object as Readonly<Record<string, unknown>>)[name])
    : null;
}

function ruleValueOf(value: unknown): RuleValue {
  switch (typeof value) {
    case 'boolean':
    case 'number':
    case 'string':
      return value;
    case 'bigint':
      return Number(value);
    case 'object':
      return value as RuleValue;
    default:
      return null;
  }
}

/** Units of work to change the case of one code unit. */
const CASE_WORK = 3;

/** The methods of strings. */
export const STRING_METHODS: ReadonlyMap<string, CompileMethod> = new Map([
  ['contains', stringTest((text, sought) => findText(text, sought) >= 0, searchWork)],
  ['beginsWith', stringTest((text, start) => text.startsWith(start), compareWork)],
  ['endsWith', stringTest((text, end) => text.endsWith(end), compareWork)],
  ['replace', compileReplace],
  ['toLowerCase', stringChange((text) => text.toLowerCase())],
  ['toUpperCase', stringChange((text) => text.toUpperCase())],
  ['matches', compileMatches],
]);

/** Compiles `text.length`, in UTF-16 code units. */
export function compileLength(e: Member, target: Evaluate): Evaluate {
  const fail = operandFaults(e.target.span, 'The target of .length', 'a string');
  const tooMuchWork = tooMuchWorkFault(e.span);
  return (scope) => {
    const text = target(scope);
    if (typeof text !== 'string') return fail(text);
    // The length itself is cheap, but the text may have been expensive to read.
    return spendWork(scope.work, text.length >> 3) ? text.length : tooMuchWork;
  };
}

/** Returns the units of work of a search for one string in another. */
function searchWork(text: string, sought: string): number {
  return 2 * (text.length + sought.length);
}

/** Returns the units of work of a comparison with the start or the end of a string. */
function compareWork(text: string, other: string): number {
  return Math.min(text.length, other.length);
}

function stringTest(
  holds: (text: string, argument: string) => boolean,
  work: (text: string, argument: string) => number,
): CompileMethod {
  return (call) => {
    const [argument] = call.args;
    if (argument === undefined) return malformed(call.span, `${call.name}() expects a string argument.`);
    const target = call.compile(call.target);
    const value = call.compile(argument);
    const fail = targetFaults(call);
    const failArgument = operandFaults(argument.span, `The argument of ${call.name}()`, 'a string');
    const tooMuchWork = tooMuchWorkFault(call.span);
    return (scope) => {
      const text = target(scope);
      if (typeof text !== 'string') return fail(text);
      const other = value(scope);
      if (typeof other !== 'string') return failArgument(other);
      return spendWork(scope.work, work(text, other)) ? holds(text, other) : tooMuchWork;
    };
  };
}

function stringChange(change: (text: string) => string): CompileMethod {
  return (call) => {
    const target = call.compile(call.target);
    const fail = targetFaults(call);
    const tooMuchWork = tooMuchWorkFault(call.span);
    return (scope) => {
      const text = target(scope);
      if (typeof text !== 'string') return fail(text);
      return spendWork(scope.work, CASE_WORK * text.length) ? change(text) : tooMuchWork;
    };
  };
}

function compileReplace(call: MethodCall): Evaluate {
  const [first, second] = call.args;
  if (first === undefined || second === undefined)
    return malformed(call.span, 'replace() expects two arguments.');
  const target = call.compile(call.target);
  const sought = call.compile(first);
  const replacement = call.compile(second);
  const fail = targetFaults(call);
  const failSought = operandFaults(first.span, 'The first argument of replace()', 'a string');
  const failReplacement = operandFaults(second.span, 'The second argument of replace()', 'a string');
  const tooLong = new Fault(call.span, tooLongText('The result of replace()'));
  const tooMuchWork = tooMuchWorkFault(call.span);
  return (scope) => {
    const text = target(scope);
    if (typeof text !== 'string') return fail(text);
    const old = sought(scope);
    if (typeof old !== 'string') return failSought(old);
    const by = replacement(scope);
    if (typeof by !== 'string') return failReplacement(by);
    if (!spendWork(scope.work, searchWork(text, old))) return tooMuchWork;
    const replaced = replaceText(text, old, by, scope.work);
    if (replaced === null) return (scope.work?.left ?? 0) < 0 ? tooMuchWork : tooLong;
    return spendWork(scope.work, replaced.length) ? replaced : tooMuchWork;
  };
}

function compileMatches(call: MethodCall): Evaluate {
  const [argument] = call.args;
  if (argument?.kind !== 'regular-expression')
    return malformed(call.span, 'matches() expects a regular expression literal argument.');
  const target = call.compile(call.target);
  const fail = targetFaults(call);
  const tooMuchWork = tooMuchWorkFault(call.span);
  // The matcher is large, and most rules of a document are not evaluated soon, so it is created on first use.
  let matcher: RegularExpressionMatcher | undefined;
  return (scope) => {
    const text = target(scope);
    if (typeof text !== 'string') return fail(text);
    matcher ??= new RegularExpressionMatcher(argument.pattern);
    return matcher.matches(text, scope.work) ?? tooMuchWork;
  };
}

function targetFaults(call: MethodCall): (value: RuleValue) => Fault {
  return operandFaults(call.target.span, `The target of .${call.name}()`, 'a string');
}
