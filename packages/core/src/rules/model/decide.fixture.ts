import type { Key } from '../../tree/key.ts';
import { nodeAt, replaceAt, replacePriorityAt, type TreeNode } from '../../tree/node.ts';
import type { Path } from '../../tree/path.ts';
import type { ProposedWrite } from '../evaluate/operation.ts';
import type { RuleNode, RuleSet } from '../evaluate/rule-set.ts';
import type { AuthObject, QueryVariables } from '../evaluate/values.ts';
import { NaiveFault, type NaiveScope, naiveEvaluate } from './evaluate.fixture.ts';

/** Returns the whole tree after the writes of one update: first removals, then values, then priorities. */
export function mergeWrites(tree: TreeNode | null, writes: readonly ProposedWrite[]): TreeNode | null {
  return writes
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .reduce(
      (node, write) =>
        write.kind === 'node'
          ? replaceAt(node, write.path, write.node)
          : replacePriorityAt(node, write.path, write.priority),
      tree,
    );
}

function rankOf(write: ProposedWrite): number {
  if (write.kind === 'priority') return 2;
  return write.node === null ? 0 : 1;
}

/**
 * Decides operations exactly as the specification says, on whole trees. Counts the rules that have no value.
 */
export class NaiveDecider {
  faults = 0;
  readonly #rules: RuleSet;
  readonly #inputs: NaiveInputs;

  constructor(rules: RuleSet, inputs: NaiveInputs) {
    this.#rules = rules;
    this.#inputs = inputs;
  }

  isReadAllowed(path: Path, query: QueryVariables): boolean {
    const scope = { ...this.#inputs, query };
    return this.#locations(path).some((at) => this.#holds(at, 'read', scope));
  }

  isWriteAllowed(writes: readonly ProposedWrite[], query: QueryVariables): boolean {
    const scope = { ...this.#inputs, query, after: mergeWrites(this.#inputs.before, writes) };
    return writes.every((write) => this.#isGranted(write, scope) && this.#isValid(write, scope));
  }

  #isGranted({ path }: ProposedWrite, scope: ScopeInputs): boolean {
    return this.#locations(path).some((at) => this.#holds(at, 'write', scope));
  }

  #isValid(write: ProposedWrite, scope: ScopeInputs): boolean {
    const written = write.kind === 'node' ? write.node : null;
    const paths = [
      ...write.path.map((_key, depth) => write.path.slice(0, depth)),
      ...pathsIn(written, write.path),
    ];
    return paths.every((path) => {
      const at = this.#locations(path).find(({ keys }) => keys.length === path.length);
      const exists = nodeAt(scope.after, path) !== null;
      return at?.node.validate == null || !exists || this.#holds(at, 'validate', scope);
    });
  }

  /** Returns the locations of the rules that match the path and the paths above it. */
  #locations(path: readonly Key[]): readonly Location[] {
    const found: Location[] = [{ node: this.#rules.root, keys: [], location: [] }];
    for (const key of path) {
      const last = found.at(-1);
      const literal = last?.node.children.get(key);
      const node = literal ?? last?.node.wildcard?.node;
      if (last === undefined || node === undefined) break;
      const name = literal === undefined ? (last.node.wildcard?.name ?? '') : key;
      found.push({ node, keys: [...last.keys, key], location: [...last.location, name] });
    }
    return found;
  }

  #holds(
    { node, keys, location }: Location,
    kind: 'read' | 'write' | 'validate',
    trees: ScopeInputs,
  ): boolean {
    const rule = node[kind];
    if (rule === null) return false;
    try {
      return naiveEvaluate(rule.expression, { ...trees, keys, location }) === true;
    } catch (cause) {
      if (!(cause instanceof NaiveFault)) throw cause;
      this.faults++;
      return false;
    }
  }
}

export interface NaiveInputs {
  readonly auth: AuthObject | null;
  readonly now: number;
  readonly before: TreeNode | null;
  /** For reads, the same as `before`. */
  readonly after: TreeNode | null;
}

type ScopeInputs = Omit<NaiveScope, 'keys' | 'location'>;

interface Location {
  readonly node: RuleNode;
  readonly keys: readonly Key[];
  readonly location: readonly string[];
}

/** Returns all paths at and inside a written value. */
function pathsIn(node: TreeNode | null, at: readonly Key[]): readonly (readonly Key[])[] {
  if (node?.kind !== 'inner') return [at];
  return [at, ...[...node.children].flatMap(([key, child]) => pathsIn(child, [...at, key]))];
}
