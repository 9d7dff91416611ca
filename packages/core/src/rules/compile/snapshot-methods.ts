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
  ['val', predicateMethod(onValue(readValue))],
  ['getPriority', predicateMethod(PRIORITY_PREDICATE)],
  ['exists', predicateMethod(EXISTENCE_PREDICATE)],
  ['isNumber', predicateMethod(onValue((value) => typeof readValue(value) === 'number'))],
  ['isString', predicateMethod(onValue((value) => typeof value === 'string'))],
  ['isBoolean', predicateMethod(onValue((value) => typeof value === 'boolean'))],
  ['hasChild', compileHasChild],
  ['hasChildren', compileHasChildren],
]);

const HAS_CHILDREN = onValue((value) => value === OBJECT);

function readValue(value: IndexValue): RuleValue {
  return typeof value === 'bigint' ? Number(value) : value;
}

function predicateMethod(predicate: PathPredicate): CompileMethod {
  return (call) => {
    const template = call.paths?.find(call.target);
    if (template !== undefined) return compilePredicate(predicate, template, call.depth);
    const target = call.compile(call.target);
    const fail = targetFaults(call);
    return (scope) => {
      const snapshot = target(scope);
      return snapshot instanceof RuleSnapshot ? onSnapshot(predicate, snapshot) : fail(snapshot);
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
    const snapshot = target(scope);
    if (!(snapshot instanceof RuleSnapshot)) return fail(snapshot);
    return move(snapshot, scope) ?? snapshot;
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
    const snapshot = target(scope);
    if (!(snapshot instanceof RuleSnapshot)) return fail(snapshot);
    return move(snapshot, scope) ?? onSnapshot(EXISTENCE_PREDICATE, snapshot) === true;
  };
}

/**
 * Compiles `hasChildren()`: without an argument, whether the node is an inner node; with names, whether all
 * of these children exist.
 */
function compileHasChildren(call: MethodCall): Evaluate {
  const [names] = call.args;
  if (names === undefined) return predicateMethod(HAS_CHILDREN)(call);
  if (names.kind !== 'array') return malformed(call.span, 'hasChildren() expects an array of child names.');
  const known = findKnownNames(names);
  if (known !== undefined) return predicateMethod(forAllPaths(known))(call);
  const predicates = compileChildPredicates(names.items, 'The name of a child', call);
  if (predicates !== undefined) return allOf(predicates);
  const target = call.compile(call.target);
  const moves = names.items.map((item) => compileMove(item, call));
  const fail = targetFaults(call);
  return (scope) => {
    const snapshot = target(scope);
    if (!(snapshot instanceof RuleSnapshot)) return fail(snapshot);
    let hasAll = true;
    for (const move of moves) {
      const child = snapshot.copy();
      const fault = move(child, scope);
      if (fault !== undefined) return fault;
      hasAll &&= onSnapshot(EXISTENCE_PREDICATE, child) === true;
    }
    return hasAll;
  };
}

/**
 * Returns the keys of the names if all of them are literals that children can have. Otherwise returns
 * `undefined`.
 */
function findKnownNames({ items }: ArrayLiteral): readonly (readonly Key[])[] | undefined {
  const found = items.map((item) =>
    item.kind === 'literal' && typeof item.value === 'string' ? findChildKeys(item.value) : null,
  );
  return found.every((keys) => keys !== null) ? found : undefined;
}

/**
 * Compiles an existence predicate for each child if all of them have path templates. Otherwise returns
 * `undefined` and compiles no name.
 */
function compileChildPredicates(
  names: readonly Expression[],
  subject: string,
  { paths, target, depth }: MethodCall,
): readonly Evaluate[] | undefined {
  const template = paths?.find(target);
  const pathsToChildren = template && paths?.findChildren(template, names, subject);
  return pathsToChildren?.map((pathToChild) => compilePredicate(EXISTENCE_PREDICATE, pathToChild, depth));
}

function allOf(predicates: readonly Evaluate[]): Evaluate {
  return (scope) => {
    let hasAll = true;
    for (const predicate of predicates) {
      const exists = predicate(scope);
      if (exists instanceof Fault) return exists;
      hasAll &&= exists === true;
    }
    return hasAll;
  };
}

/** Moves a snapshot to a child. Returns a fault if the name is not a string. */
type Move = (snapshot: RuleSnapshot, scope: Scope) => Fault | undefined;

function compileMove(name: Expression, call: MethodCall): Move {
  if (name.kind === 'literal' && typeof name.value === 'string') {
    const keys = findChildKeys(name.value);
    return (snapshot) => {
      snapshot.moveDownBy(keys);
      return undefined;
    };
  }
  const evaluate = call.compile(name);
  const subject = name === call.args[0] ? `The argument of ${call.name}()` : 'The name of a child';
  const fail = operandFaults(name.span, subject, 'a string');
  return (snapshot, scope) => {
    const text = evaluate(scope);
    if (typeof text !== 'string') return fail(text);
    snapshot.moveToChild(text);
    return undefined;
  };
}

function compileParent(call: MethodCall): Evaluate {
  const target = call.compile(call.target);
  const fail = targetFaults(call);
  const atRoot = new Fault(call.span, 'The root has no parent().');
  return (scope) => {
    const snapshot = target(scope);
    if (!(snapshot instanceof RuleSnapshot)) return fail(snapshot);
    return snapshot.moveUp() ? snapshot : atRoot;
  };
}

function targetFaults(call: MethodCall): (value: RuleValue) => Fault {
  return operandFaults(call.target.span, `The target of .${call.name}()`, 'a snapshot');
}
