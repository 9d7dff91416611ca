import type { Evaluate } from '../evaluate/rule-set.ts';
import { Fault, RuleSnapshot, type RuleValue } from '../evaluate/values.ts';
import type { Binary, Call, Expression, Member, Variable } from '../syntax/expression.ts';
import { malformed } from './faults.ts';
import { compileClaim, compileLength, compileProperty, compileSubscript, STRING_METHODS } from './members.ts';
import {
  compileAnd,
  compileArithmetic,
  compileConditional,
  compileEquality,
  compileMinus,
  compileNot,
  compileOr,
  compileOrder,
  compileSum,
  divide,
} from './operators.ts';
import { evaluatePath, PathResolver, type PathTemplate } from './paths.ts';
import { SNAPSHOT_METHODS } from './snapshot-methods.ts';

/**
 * Compiles a variable that is not a snapshot. `location` contains the names from the root to the rule; wildcards
 * include their `$`.
 */
function compileVariable(e: Variable, location: readonly string[]): Evaluate {
  switch (e.name) {
    case 'auth':
      return (scope) => scope.auth;
    case 'now':
      return (scope) => scope.now;
    case 'query':
      return (scope) => scope.query;
    default:
      return compileWildcard(e, location);
  }
}

/** Compiles a path template to a snapshot. */
function compileTemplate({ tree, parts }: PathTemplate): Evaluate {
  return (scope) => {
    const keys = evaluatePath(parts, scope);
    return keys instanceof Fault
      ? keys
      : new RuleSnapshot(tree === 'before' ? scope.before : scope.after, keys);
  };
}

function compileWildcard(e: Variable, location: readonly string[]): Evaluate {
  const level = e.name.startsWith('$') ? location.indexOf(e.name) : -1;
  if (level < 0) return malformed(e.span, `Unknown variable '${e.name}'.`);
  return (scope) => scope.path[level] ?? null;
}

/**
 * Receives the value of a rule and of every sub-expression that is evaluated. Does not receive literals inside the
 * rule, because their values are constant, or methods, arrays and regular expressions, because they have no value.
 */
export interface Observer {
  /** Called before an expression is evaluated. The matching `leave` receives the expression. */
  enter(): void;
  /** Receives the value of `e`. Every expression that was entered after `e` has already been left. */
  leave(e: Expression, value: RuleValue): void;
}

/**
 * Compiles an expression to closures. `location` contains the names from the root to the rule; wildcards include
 * their `$`. Neither this function nor the result throws: an expression that has no value, or that is not
 * valid in the language, evaluates to a `Fault`.
 */
export function compileExpression(e: Expression, location: readonly string[], observer?: Observer): Evaluate {
  return new Compiler(location, observer).compile(e, true);
}

class Compiler {
  readonly #location: readonly string[];
  readonly #observer: Observer | undefined;
  readonly #paths: PathResolver;

  constructor(location: readonly string[], observer: Observer | undefined) {
    this.#location = location;
    this.#observer = observer;
    this.#paths = new PathResolver(location, (e) => this.compile(e));
  }

  compile(e: Expression, isWhole = false): Evaluate {
    const observer = this.#observer;
    // An observer needs the value of every sub-expression of a path expression. Without one, the whole path is compiled
    // as one lookup.
    const template = observer === undefined || e.kind === 'variable' ? this.#paths.find(e) : undefined;
    const evaluate = template === undefined ? this.#compilePart(e) : compileTemplate(template);
    const isReported = isWhole || e.kind !== 'literal';
    return observer !== undefined && isReported ? observed(e, evaluate, observer) : evaluate;
  }

  #compilePart(e: Expression): Evaluate {
    switch (e.kind) {
      case 'literal': {
        const { value } = e;
        return () => value;
      }
      case 'variable':
        return compileVariable(e, this.#location);
      case 'member':
        return e.name === 'length' ? compileLength(e, this.compile(e.target)) : this.#compileProperty(e);
      case 'subscript':
        return compileSubscript(e, this.compile(e.target), this.compile(e.key));
      case 'call':
        return this.#compileCall(e);
      case 'unary':
        return e.operator === '!'
          ? compileNot(e, this.compile(e.operand))
          : compileMinus(e, this.compile(e.operand));
      case 'binary':
        return compileBinary(e, this.compile(e.left), this.compile(e.right));
      case 'conditional':
        return compileConditional(
          e,
          this.compile(e.condition),
          this.compile(e.consequent),
          this.compile(e.alternate),
        );
      case 'array':
        return malformed(e.span, 'Unexpected array literal.');
      case 'regular-expression':
        return malformed(e.span, 'A regular expression may only be an argument of matches().');
      default:
        return e satisfies never;
    }
  }

  #compileProperty(e: Member): Evaluate {
    const { target, name } = e;
    const isClaim = target.kind === 'variable' && target.name === 'auth' && this.#observer === undefined;
    return isClaim ? compileClaim(name) : compileProperty(e, this.compile(target));
  }

  #compileCall(e: Call): Evaluate {
    const { callee } = e;
    const compileMethod =
      callee.kind === 'member'
        ? (SNAPSHOT_METHODS.get(callee.name) ?? STRING_METHODS.get(callee.name))
        : undefined;
    if (callee.kind !== 'member' || compileMethod === undefined)
      return malformed(e.span, 'Type error: Function call on target that is not a function.');
    return compileMethod({
      name: callee.name,
      span: e.span,
      target: callee.target,
      args: e.args,
      compile: (part) => this.compile(part),
      paths: this.#observer === undefined ? this.#paths : null,
      depth: this.#location.length,
    });
  }
}

function observed(e: Expression, evaluate: Evaluate, observer: Observer): Evaluate {
  return (scope) => {
    observer.enter();
    const value = evaluate(scope);
    // The evaluation may move the snapshot to another path later.
    observer.leave(e, value instanceof RuleSnapshot ? value.copy() : value);
    return value;
  };
}

function compileBinary(e: Binary, left: Evaluate, right: Evaluate): Evaluate {
  switch (e.operator) {
    case '&&':
      return compileAnd(e, left, right);
    case '||':
      return compileOr(e, left, right);
    case '==':
    case '===':
      return compileEquality(e, true, left, right);
    case '!=':
    case '!==':
      return compileEquality(e, false, left, right);
    case '<':
      return compileOrder(e, (a, b) => a < b, left, right);
    case '<=':
      return compileOrder(e, (a, b) => a <= b, left, right);
    case '>':
      return compileOrder(e, (a, b) => a > b, left, right);
    case '>=':
      return compileOrder(e, (a, b) => a >= b, left, right);
    case '+':
      return compileSum(e, left, right);
    case '-':
      return compileArithmetic(e, (a, b) => a - b, left, right);
    case '*':
      return compileArithmetic(e, (a, b) => a * b, left, right);
    case '/':
      return compileArithmetic(e, divide, left, right);
    case '%':
      return compileArithmetic(e, (a, b) => a % b, left, right);
    default:
      return e.operator satisfies never;
  }
}
