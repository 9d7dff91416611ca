import { isKey, type Key } from '../../tree/key.ts';
import { MAX_DEPTH, type Path } from '../../tree/path.ts';
import type { Evaluate } from '../evaluate/rule-set.ts';
import type { Scope } from '../evaluate/scope.ts';
import { Fault, findChildKeys } from '../evaluate/values.ts';
import type { Call, Expression } from '../syntax/expression.ts';
import type { Span } from '../syntax/problems.ts';
import { operandFaults } from './faults.ts';

/** Finds the name of a child: one key, several, none that a child can have, or a fault. */
export type FindName = (scope: Scope) => Key | readonly Key[] | null | Fault;

/** A step of a way: a key, the level of the scope's path that has it, or a name that is computed. */
export type TemplatePart = Key | number | FindName;

/** How an expression names a place: the tree, and the steps from its root. */
export interface PathTemplate {
  readonly tree: 'before' | 'after';
  readonly parts: readonly TemplatePart[];
}

/** What a name adds to a way: keys, a level of the path, or the name itself where it is computed. */
type NameStep = readonly (Key | number | Expression)[];

/** Finds ways in a rule at `location`, each expression's once. */
export class PathResolver {
  readonly #location: readonly string[];
  readonly #compile: (e: Expression) => Evaluate;
  readonly #found = new Map<Expression, PathTemplate | undefined>();

  constructor(location: readonly string[], compile: (e: Expression) => Evaluate) {
    this.#location = location;
    this.#compile = compile;
  }

  /**
   * The way to the place that an expression stands for, if it is made of nothing but `root`, `data` or `newData`, children,
   * and parents of what is not computed.
   */
  find(e: Expression): PathTemplate | undefined {
    if (e.kind === 'call') {
      if (!this.#found.has(e)) this.#found.set(e, this.#findMoved(e));
      return this.#found.get(e);
    }
    return e.kind === 'variable' ? this.#findStart(e.name) : undefined;
  }

  /** The way to a child of the place at the end of another way; `undefined` where nobody can be sure that it is one. */
  findChild(template: PathTemplate, name: Expression, subject: string): PathTemplate | undefined {
    return this.findChildren(template, [name], subject)?.[0];
  }

  /**
   * The ways to several children; `undefined` if nobody can be sure of one of them. Then no name has been compiled, and
   * whoever goes on without ways compiles each for the first time: twice on each of many levels would take for ever.
   */
  findChildren(
    { tree, parts }: PathTemplate,
    names: readonly Expression[],
    subject: string,
  ): readonly PathTemplate[] | undefined {
    const steps = names.map((name) => this.#findStep(name));
    const canBe = (step: NameStep | null): step is NameStep =>
      step !== null && parts.length + step.length <= MAX_DEPTH;
    if (!steps.every(canBe)) return undefined;
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

  #findMoved({ callee, args }: Call): PathTemplate | undefined {
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
    // A computed name may be of several keys.
    if (template === undefined || last === undefined || typeof last === 'function') return undefined;
    return { tree: template.tree, parts: template.parts.slice(0, -1) };
  }

  /** The keys of a name that is written there, or the level of a capture; `null` for a name that no child can have. */
  #findStep(name: Expression): NameStep | null {
    if (name.kind === 'literal' && typeof name.value === 'string') return findChildKeys(name.value);
    const isWildcard = name.kind === 'variable' && name.name.startsWith('$');
    const level = isWildcard ? this.#location.indexOf(name.name) : -1;
    return [level < 0 ? name : level];
  }
}

/** Finds the keys at the end of a way; `null` for a place that cannot be. They are for looking at, not for keeping. */
export function compilePath(
  parts: readonly TemplatePart[],
  depth: number,
): (scope: Scope) => readonly Key[] | null | Fault {
  if (!areKnown(parts)) return (scope) => evaluatePath(parts, scope);
  const isOwnPath = parts.length === depth && parts.every((part, level) => part === level);
  return (scope) => (isOwnPath && scope.path.length === depth ? scope.path : bindPath(parts, scope.path));
}

function areKnown(parts: readonly TemplatePart[]): parts is readonly (Key | number)[] {
  return parts.every((part) => typeof part !== 'function');
}

function bindPath(parts: readonly (Key | number)[], path: Path): readonly Key[] {
  // Of the right length from the start: this runs for nearly every look at data.
  const keys = new Array<Key>(parts.length);
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    const key = typeof part === 'number' ? path[part] : part;
    if (key !== undefined) keys[i] = key;
  }
  return keys;
}

/** The keys at the end of a way, in an array of their own; `null` for a place that cannot be. */
export function evaluatePath(parts: readonly TemplatePart[], scope: Scope): Key[] | null | Fault {
  const keys = new Array<Key>(parts.length);
  let length = 0;
  let canBe = true;
  for (const part of parts) {
    const name = typeof part === 'string' ? part : findName(part, scope);
    if (typeof name === 'string') keys[length++] = name;
    else if (name instanceof Fault) return name;
    // What comes behind may still be at fault.
    else if (name === null) canBe = false;
    else for (const key of name) keys[length++] = key;
  }
  return canBe && length <= MAX_DEPTH ? keys : null;
}

function findName(part: number | FindName, scope: Scope): Key | readonly Key[] | null | Fault {
  return typeof part === 'number' ? (scope.path[part] ?? null) : part(scope);
}

function computedName(evaluate: Evaluate, span: Span, subject: string): FindName {
  const fail = operandFaults(span, subject, 'a string');
  // Most often the name is that of the last time, such as the uid of somebody who does several things.
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
