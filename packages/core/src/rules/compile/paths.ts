import { isKey, type Key } from '../../tree/key.ts';
import { MAX_DEPTH, type Path } from '../../tree/path.ts';
import type { Evaluate } from '../evaluate/rule-set.ts';
import type { Scope } from '../evaluate/scope.ts';
import { Fault, findChildKeys } from '../evaluate/values.ts';
import type { Call, Expression } from '../syntax/expression.ts';
import type { Span } from '../syntax/problems.ts';
import { operandFaults } from './faults.ts';

/**
 * Computes the keys of a child name: one key, several, `null` for a name that no child can have, or a fault.
 */
export type FindName = (scope: Scope) => Key | readonly Key[] | null | Fault;

/** A part of a path template: a key, an index in the scope's path, or a computed name. */
export type TemplatePart = Key | number | FindName;

/** A path with variable parts: the tree, and the parts from its root. */
export interface PathTemplate {
  readonly tree: 'before' | 'after';
  readonly parts: readonly TemplatePart[];
}

/**
 * The parts that one name adds to a template: keys, an index in the scope's path, or the name itself if it is
 * computed.
 */
type NameStep = readonly (Key | number | Expression)[];

/**
 * Finds the path templates of the expressions in a rule at `location`. Caches the templates of calls.
 */
export class PathResolver {
  readonly #location: readonly string[];
  readonly #compile: (e: Expression) => Evaluate;
  readonly #found = new Map<Expression, PathTemplate | undefined>();

  constructor(location: readonly string[], compile: (e: Expression) => Evaluate) {
    this.#location = location;
    this.#compile = compile;
  }

  /**
   * Returns the template of `root`, `data` or `newData`, followed by any calls of `child()` and `parent()`. Returns
   * `undefined` for other expressions, for a path that cannot exist, and if `parent()` follows a computed name.
   */
  find(e: Expression): PathTemplate | undefined {
    if (e.kind === 'call') {
      if (!this.#found.has(e)) this.#found.set(e, this.#findCall(e));
      return this.#found.get(e);
    }
    return e.kind === 'variable' ? this.#findStart(e.name) : undefined;
  }

  /** Returns the template of a child, or `undefined` if the name cannot be the name of a child. */
  findChild(template: PathTemplate, name: Expression, subject: string): PathTemplate | undefined {
    return this.findChildren(template, [name], subject)?.[0];
  }

  /**
   * Returns the templates of several children, or `undefined` if one of the names cannot be the name of a
   * child. In that case no name has been compiled yet, so the caller compiles each for the first time.
   * Compiling twice on each of many levels would take exponential time.
   */
  findChildren(
    { tree, parts }: PathTemplate,
    names: readonly Expression[],
    subject: string,
  ): readonly PathTemplate[] | undefined {
    const steps = names.map((name) => this.#findStep(name));
    const isPossible = (step: NameStep | null): step is NameStep =>
      step !== null && parts.length + step.length <= MAX_DEPTH;
    if (!steps.every(isPossible)) return undefined;
    return steps.map((step) => ({
      tree,
      parts: [...parts, ...step.map((part) => this.#compileName(part, subject))],
    }));
  }

  #compileName(part: Key | number | Expression, subject: string): TemplatePart {
    return typeof part === 'object' ? computedName(this.#compile(part), part.span, subject) : part;
  }

  #findStart(name: string): PathTemplate | undefined {
    switch (name) {
      case 'root':
        return { tree: 'before', parts: [] };
      case 'data':
        return { tree: 'before', parts: [...this.#location.keys()] };
      case 'newData':
        return { tree: 'after', parts: [...this.#location.keys()] };
      default:
        return undefined;
    }
  }

  #findCall({ callee, args }: Call): PathTemplate | undefined {
    if (callee.kind !== 'member') return undefined;
    const { target, name } = callee;
    if (name === 'parent') return this.#findParent(target);
    const [child] = args;
    if (name !== 'child' || child === undefined) return undefined;
    const template = this.find(target);
    return template === undefined ? undefined : this.findChild(template, child, 'The argument of child()');
  }

  #findParent(target: Expression): PathTemplate | undefined {
    const template = this.find(target);
    const last = template?.parts.at(-1);
    // A computed name may have several keys.
    if (template === undefined || last === undefined || typeof last === 'function') return undefined;
    return { tree: template.tree, parts: template.parts.slice(0, -1) };
  }

  /**
   * Returns the keys of a literal name, the level of a wildcard, or the expression of any other name. Returns `null`
   * for a literal name that no child can have.
   */
  #findStep(name: Expression): NameStep | null {
    if (name.kind === 'literal' && typeof name.value === 'string') return findChildKeys(name.value);
    const isWildcard = name.kind === 'variable' && name.name.startsWith('$');
    const level = isWildcard ? this.#location.indexOf(name.name) : -1;
    return [level < 0 ? name : level];
  }
}

/**
 * Returns a function that computes the keys of a path. The function returns `null` for a path that cannot exist.
 * Callers of the function must not store or change the keys. `depth` is the number of keys from the root to the rule.
 */
export function compilePath(
  parts: readonly TemplatePart[],
  depth: number,
): (scope: Scope) => readonly Key[] | null | Fault {
  if (!areNotComputed(parts)) return (scope) => evaluatePath(parts, scope);
  const isOwnPath = parts.length === depth && parts.every((part, level) => part === level);
  return (scope) => (isOwnPath && scope.path.length === depth ? scope.path : bindPath(parts, scope.path));
}

function areNotComputed(parts: readonly TemplatePart[]): parts is readonly (Key | number)[] {
  return parts.every((part) => typeof part !== 'function');
}

function bindPath(parts: readonly (Key | number)[], path: Path): readonly Key[] {
  // Allocates the final length up front, because this runs for nearly every read of the data.
  const keys = new Array<Key>(parts.length);
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    const key = typeof part === 'number' ? path[part] : part;
    if (key !== undefined) keys[i] = key;
  }
  return keys;
}

/** Returns the keys of a path in a new array, or `null` for a path that cannot exist. */
export function evaluatePath(parts: readonly TemplatePart[], scope: Scope): Key[] | null | Fault {
  const keys = new Array<Key>(parts.length);
  let length = 0;
  let isPossible = true;
  for (const part of parts) {
    const name = typeof part === 'string' ? part : findName(part, scope);
    if (typeof name === 'string') keys[length++] = name;
    else if (name instanceof Fault) return name;
    // A later part may still be a fault.
    else if (name === null) isPossible = false;
    else for (const key of name) keys[length++] = key;
  }
  return isPossible && length <= MAX_DEPTH ? keys : null;
}

function findName(part: number | FindName, scope: Scope): Key | readonly Key[] | null | Fault {
  return typeof part === 'number' ? (scope.path[part] ?? null) : part(scope);
}

function computedName(evaluate: Evaluate, span: Span, subject: string): FindName {
  const fail = operandFaults(span, subject, 'a string');
  // Caches the last name. It is often the same, for example the user ID in several operations of one user.
  let last: Key | undefined;
  return (scope) => {
    const text = evaluate(scope);
    if (typeof text !== 'string') return fail(text);
    if (text === last) return last;
    if (!isKey(text)) return findChildKeys(text);
    last = text;
    return text;
  };
}
