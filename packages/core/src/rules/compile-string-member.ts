import type { Member } from './expression.ts';
import { findText } from './find-text.ts';
import { malformed } from './malformed.ts';
import type { CompileMethod, MethodCall } from './method-call.ts';
import { operandFaults } from './operand-faults.ts';
import { RegularExpressionMatcher } from './regular-expression-matcher.ts';
import { replaceText } from './replace-text.ts';
import type { Evaluate } from './rule-set.ts';
import { Fault, type RuleValue } from './rule-value.ts';
import type { Span } from './span.ts';
import { tooLongText } from './text-limit.ts';

/** The methods of strings. */
export const STRING_METHODS: ReadonlyMap<string, CompileMethod> = new Map([
  ['contains', stringTest((text, sought) => findText(text, sought) >= 0)],
  ['beginsWith', stringTest((text, start) => text.startsWith(start))],
  ['endsWith', stringTest((text, end) => text.endsWith(end))],
  ['replace', compileReplace],
  ['toLowerCase', stringChange((text) => text.toLowerCase())],
  ['toUpperCase', stringChange((text) => text.toUpperCase())],
  ['matches', compileMatches],
]);

/** `text.length`, in UTF-16 units. */
export function compileLength(e: Member, target: Evaluate): Evaluate {
  const fail = operandFaults(e.target.span, 'What .length is asked of', 'a string');
  return (scope) => {
    const text = target(scope);
    return typeof text === 'string' ? text.length : fail(text);
  };
}

function stringTest(holds: (text: string, argument: string) => boolean): CompileMethod {
  return (call) => {
    const [argument] = call.args;
    if (argument === undefined) return malformed(call.span, `${call.name}() expects a string argument.`);
    const target = call.compile(call.target);
    const value = call.compile(argument);
    const fail = targetFaults(call);
    const failArgument = operandFaults(argument.span, `The argument of ${call.name}()`, 'a string');
    return (scope) => {
      const text = target(scope);
      if (typeof text !== 'string') return fail(text);
      const other = value(scope);
      return typeof other === 'string' ? holds(text, other) : failArgument(other);
    };
  };
}

function stringChange(change: (text: string) => string): CompileMethod {
  return (call) => {
    const target = call.compile(call.target);
    const fail = targetFaults(call);
    return (scope) => {
      const text = target(scope);
      return typeof text === 'string' ? change(text) : fail(text);
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
  const tooLong = new Fault(call.span, tooLongText('The string that replace() makes'));
  return (scope) => {
    const text = target(scope);
    if (typeof text !== 'string') return fail(text);
    const old = sought(scope);
    if (typeof old !== 'string') return failSought(old);
    const by = replacement(scope);
    if (typeof by !== 'string') return failReplacement(by);
    return replaceText(text, old, by) ?? tooLong;
  };
}

function compileMatches(call: MethodCall): Evaluate {
  const [argument] = call.args;
  if (argument?.kind !== 'regular-expression')
    return malformed(call.span, 'matches() expects a regular expression literal argument.');
  const target = call.compile(call.target);
  const fail = targetFaults(call);
  // What matches it is large, and most rules of a document are not asked soon.
  let matcher: RegularExpressionMatcher | undefined;
  return (scope) => {
    const text = target(scope);
    if (typeof text !== 'string') return fail(text);
    matcher ??= new RegularExpressionMatcher(argument.pattern);
    return text.length > matcher.maxUnits ? tooLong(call.span, matcher.maxUnits) : matcher.matches(text);
  };
}

function tooLong(span: Span, maxUnits: number): Fault {
  return new Fault(
    span,
    `The string is longer than the ${maxUnits} characters that this pattern is matched against. Test its length first.`,
  );
}

function targetFaults(call: MethodCall): (value: RuleValue) => Fault {
  return operandFaults(call.target.span, `What .${call.name}() is asked of`, 'a string');
}
