import type { Key } from '../../tree/key.ts';
import { type IndexValue, OBJECT } from '../../tree/order.ts';
import type { Evaluate } from '../evaluate/rule-set.ts';
import type { Scope } from '../evaluate/scope.ts';
import { Fault, findChildKeys, RuleSnapshot, type RuleValue } from '../evaluate/values.ts';
import type { ArrayLiteral, Expression } from '../syntax/expression.ts';
import { malformed, operandFaults } from './faults.ts';
import {
  compilePredicate,
  EXISTENCE_PREDICATE,
  forAllPaths,
  onValue,
  type PathPredicate,
  PRIORITY_PREDICATE,
} from './lookups.ts';
import type { CompileMethod, MethodCall } from './members.ts';

/** The methods of snapshots. */
export const SNAPSHOT_METHODS: ReadonlyMap<string, CompileMethod> = new Map([
  ['child', compileChild],
  ['parent', compileParent],
  ['val', question(onValue(readValue))],
  ['getPriority', question(PRIORITY_PREDICATE)],
  ['exists', question(EXISTENCE_PREDICATE)],
  ['isNumber', question(onValue((value) => typeof readValue(value) === 'number'))],
  ['isString', question(onValue((value) => typeof value === 'string'))],
  ['isBoolean', question(onValue((value) => typeof value === 'boolean'))],
  ['hasChild', compileHasChild],
  ['hasChildren', compileHasChildren],
]);

const HAS_CHILDREN = onValue((value) => value === OBJECT);

function readValue(value: IndexValue): RuleValue {
  return typeof value === 'bigint' ? Number(value) : value;
}

function question(predicate: PathPredicate): CompileMethod {
  return (call) => {
    const template = call.ways?.find(call.target);
    if (template !== undefined) return compilePredicate(predicate, template, call.depth);
    const target = call.compile(call.target);
    const fail = targetFaults(call);
    return (scope) => {
      const evaluatedPath = target(scope);
      return evaluatedPath instanceof RuleSnapshot
        ? onSnapshot(predicate, evaluatedPath)
        : fail(evaluatedPath);
    };
  };
}

function onSnapshot(predicate: PathPredicate, { view, path }: RuleSnapshot): RuleValue {
  return path === null ? predicate.nowhere : predicate.atPath(view, path);
}

function compileChild(call: MethodCall): Evaluate {
  const [argument] = call.args;
  if (argument === undefined) return malformed(call.span, 'child() expects 1 argument.');
  const target = call.compile(call.target);
  const move = compileMove(argument, call);
  const fail = targetFaults(call);
  return (scope) => {
    const evaluatedPath = target(scope);
    if (!(evaluatedPath instanceof RuleSnapshot)) return fail(evaluatedPath);
    return move(evaluatedPath, scope) ?? evaluatedPath;
  };
}

function compileHasChild(call: MethodCall): Evaluate {
  const [argument] = call.args;
  if (argument === undefined) return malformed(call.span, 'hasChild() expects 1 argument.');
  const [predicate] = compileChildPredicates([argument], 'The argument of hasChild()', call) ?? [];
  if (predicate !== undefined) return predicate;
  const target = call.compile(call.target);
  const move = compileMove(argument, call);
  const fail = targetFaults(call);
  return (scope) => {
    const evaluatedPath = target(scope);
    if (!(evaluatedPath instanceof RuleSnapshot)) return fail(evaluatedPath);
    return move(evaluatedPath, scope) ?? onSnapshot(EXISTENCE_PREDICATE, evaluatedPath) === true;
  };
}

/** Without an argument: is this an inner node? With the names of children: are all of them there? */
function compileHasChildren(call: MethodCall): Evaluate {
  const [names] = call.args;
  if (names === undefined) return question(HAS_CHILDREN)(call);
  if (names.kind !== 'array') return malformed(call.span, 'hasChildren() expects an array of child names.');
  const known = findKnownNames(names);
  if (known !== undefined) return question(forAllPaths(known))(call);
  const predicates = compileChildPredicates(names.items, 'The name of a child', call);
  if (predicates !== undefined) return allOf(predicates);
  const target = call.compile(call.target);
  const moves = names.items.map((item) => compileMove(item, call));
  const fail = targetFaults(call);
  return (scope) => {
    const evaluatedPath = target(scope);
    if (!(evaluatedPath instanceof RuleSnapshot)) return fail(evaluatedPath);
    let hasAll = true;
    for (const move of moves) {
      const child = evaluatedPath.copy();
      const fault = move(child, scope);
      if (fault !== undefined) return fault;
      hasAll &&= onSnapshot(EXISTENCE_PREDICATE, child) === true;
    }
    return hasAll;
  };
}

/** The keys of names that are all literals, and that children can have. */
function findKnownNames({ items }: ArrayLiteral): readonly (readonly Key[])[] | undefined {
  const found = items.map((item) =>
    item.kind === 'literal' && typeof item.value === 'string' ? findChildKeys(item.value) : null,
  );
  return found.every((keys) => keys !== null) ? found : undefined;
}

/** Is each child there, of a place that there is a way to? Compiles no name unless there is a way to every child. */
function compileChildPredicates(
  names: readonly Expression[],
  subject: string,
  { ways, target, depth }: MethodCall,
): readonly Evaluate[] | undefined {
  const template = ways?.find(target);
  const pathsToChildren = template && ways?.findChildren(template, names, subject);
  return pathsToChildren?.map((pathToChild) => compilePredicate(EXISTENCE_PREDICATE, pathToChild, depth));
}

function allOf(predicates: readonly Evaluate[]): Evaluate {
  return (scope) => {
    let hasAll = true;
    for (const predicate of predicates) {
      const isThere = predicate(scope);
      if (isThere instanceof Fault) return isThere;
      hasAll &&= isThere === true;
    }
    return hasAll;
  };
}

/** Moves a snapshot to the child of a name, unless the name is at fault. */
type Move = (evaluatedPath: RuleSnapshot, scope: Scope) => Fault | undefined;

function compileMove(name: Expression, call: MethodCall): Move {
  if (name.kind === 'literal' && typeof name.value === 'string') {
    const keys = findChildKeys(name.value);
    return (evaluatedPath) => {
      evaluatedPath.moveDownBy(keys);
      return undefined;
    };
  }
  const evaluate = call.compile(name);
  const subject = name === call.args[0] ? `The argument of ${call.name}()` : 'The name of a child';
  const fail = operandFaults(name.span, subject, 'a string');
  return (evaluatedPath, scope) => {
    const text = evaluate(scope);
    if (typeof text !== 'string') return fail(text);
    evaluatedPath.moveToChild(text);
    return undefined;
  };
}

function compileParent(call: MethodCall): Evaluate {
  const target = call.compile(call.target);
  const fail = targetFaults(call);
  const atRoot = new Fault(call.span, 'The root has no parent().');
  return (scope) => {
    const evaluatedPath = target(scope);
    if (!(evaluatedPath instanceof RuleSnapshot)) return fail(evaluatedPath);
    return evaluatedPath.moveUp() ? evaluatedPath : atRoot;
  };
}

function targetFaults(call: MethodCall): (value: RuleValue) => Fault {
  return operandFaults(call.target.span, `What .${call.name}() is asked of`, 'a snapshot');
}
