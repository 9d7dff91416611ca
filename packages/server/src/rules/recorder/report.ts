import type { ProposedWrite } from '@hearth/core/rules/evaluate/operation.ts';
import type { Rule, RuleKind, RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import { NO_QUERY } from '@hearth/core/rules/evaluate/scope.ts';
import type { QueryVariables, RuleTree } from '@hearth/core/rules/evaluate/values.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { type Key, parseKey } from '@hearth/core/tree/key.ts';
import { leafNode, nodeAt, replaceAt, replacePriorityAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { joinPaths, type Path, parsePath } from '@hearth/core/tree/path.ts';
import type { StoredRead } from '../denials/denial.ts';
import { printRule } from '../denials/record.ts';
import { printPath, RecordingTree } from '../denials/recording-tree.ts';
import { parseJsonWithDoubles, printJsonWithDoubles } from '../denials/redact.ts';
import { examineOperation } from '../examine-operation.ts';
import { decidedOperation, type RecordedOperation } from './recording.ts';

/** The key of a placeholder child of an inner node whose children were not read. */
const SOME_CHILD = parseKey('other');

/** Returns a small tree in which the same reads return the same results. */
function nodeOfReads(reads: readonly StoredRead[]): TreeNode | null {
  let root: TreeNode | null = null;
  const fill = (path: Path): void => {
    if (nodeAt(root, path) === null) root = replaceAt(root, path, leafNode(true));
  };
  for (const read of reads)
    if (read.kind === 'value' && read.value !== null)
      root = replaceAt(root, parsePath(read.path), leafNode(read.value));
  for (const read of reads) if (read.kind === 'keys') for (const key of childrenOf(read)) fill(key);
  for (const read of reads)
    if (read.kind === 'object' && nodeAt(root, parsePath(read.path))?.kind !== 'inner')
      fill(joinPaths(parsePath(read.path), [SOME_CHILD]));
  for (const read of reads)
    if (read.kind === 'priority') root = replacePriorityAt(root, parsePath(read.path), read.priority);
  return root;
}

function childrenOf({ path, keys }: StoredRead & { readonly kind: 'keys' }): readonly Path[] {
  return keys.map((key): Path => joinPaths(parsePath(path), [parseKey(key) satisfies Key]));
}

/** A test case of a case file, as JSON. */
export type CaseExample = Readonly<Record<string, unknown>>;

/**
 * Returns an operation as a test case, with the data that the current rules and the draft read, and the decision of
 * the current rules. Returns `undefined` if the rules or the draft read too much, or decide differently on this data.
 */
export function caseExample(
  recorded: RecordedOperation,
  tree: RuleTree,
  rules: RuleSet,
  draft: RuleSet,
): CaseExample | undefined {
  const recording = new RecordingTree(tree);
  const isAllowed = isAllowedOn(recording, recorded, rules);
  const isAllowedByDraft = isAllowedOn(recording, recorded, draft);
  if (recording.reads === null) return undefined;
  const data = nodeOfReads(recording.reads);
  const small = new NodeTree(data);
  if (isAllowedOn(small, recorded, rules) !== isAllowed) return undefined;
  if (isAllowedOn(small, recorded, draft) !== isAllowedByDraft) return undefined;
  return {
    as: parseJsonWithDoubles(printJsonWithDoubles(recorded.auth)),
    ...printOperation(recorded),
    now: recorded.timeMs,
    ...(data === null ? {} : { data: printNode(data) }),
    expect: isAllowed ? 'allow' : 'deny',
  };
}

function isAllowedOn(tree: RuleTree, recorded: RecordedOperation, rules: RuleSet): boolean {
  return examineOperation(rules, decidedOperation(recorded, tree)).isAllowed;
}

function printOperation(recorded: RecordedOperation): CaseExample {
  if (recorded.kind === 'read') {
    const query = printQuery(recorded.query);
    return { read: printPath(recorded.path), ...(query === undefined ? {} : { query }) };
  }
  const [only] = recorded.writes;
  if (only !== undefined && recorded.writes.length === 1)
    return { write: printTarget(only), value: printValue(only) };
  return {
    update: '/',
    value: Object.fromEntries(
      recorded.writes.map((write) => [printTarget(write).slice(1), printValue(write)]),
    ),
  };
}

/** Returns the query without default values. */
function printQuery(query: QueryVariables): CaseExample | undefined {
  const none: CaseExample = { ...NO_QUERY };
  const changed = Object.entries(query).filter(([name, value]) => value !== none[name]);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function printTarget({ kind, path }: ProposedWrite): string {
  return printPath(kind === 'priority' ? [...path, '.priority'] : path);
}

function printValue(write: ProposedWrite): unknown {
  return write.kind === 'priority' ? write.priority : printNode(write.node);
}

function printNode(node: TreeNode | null): unknown {
  return parseJsonWithDoubles(exportJson(node));
}

/** Operations whose decision changes in the same way because of the same rule. */
export interface ChangedDecisions {
  /**
   * The rule of the draft that grants the operation or that fails; otherwise the deepest one that could grant
   * it, or `null` if there is no such rule.
   */
  readonly rule: { readonly kind: RuleKind; readonly location: string; readonly text: string } | null;
  readonly count: number;
  /** Test cases that expect the decision of the current rules; at most `MAX_EXAMPLES`. */
  readonly examples: readonly CaseExample[];
}

/** The numbers of operations that were replayed and that were not recorded. */
export interface ReplayedCounts {
  /** Number of operations that both the current rules and the draft decided. */
  readonly operations: number;
  /** Number of operations that were too large to record. */
  readonly notRecorded: number;
  /** Number of operations above the rate limit. */
  readonly sampledOut: number;
}

/** The decisions that a draft of rules would have changed. */
export interface ReplayReport extends ReplayedCounts {
  /** The largest groups first. */
  readonly allowedToDenied: readonly ChangedDecisions[];
  readonly deniedToAllowed: readonly ChangedDecisions[];
}

/** An operation that the draft decides differently from the current rules. */
export interface DecisionChange {
  readonly recorded: RecordedOperation;
  readonly isAllowed: boolean;
  /** The deciding rule of the draft. */
  readonly deciding: Rule | null;
  readonly example: CaseExample | undefined;
}

const MAX_EXAMPLES = 5;

interface Group {
  count: number;
  readonly examples: CaseExample[];
}

/** Counts changed decisions by direction and deciding rule. */
export class ReplayTally {
  readonly #groups = { allowed: new Map<Rule | null, Group>(), denied: new Map<Rule | null, Group>() };

  /** Returns whether the report needs another example of such a change. */
  wantsExample(isAllowed: boolean, deciding: Rule | null): boolean {
    return (this.#groupsOf(isAllowed).get(deciding)?.examples.length ?? 0) < MAX_EXAMPLES;
  }

  add({ isAllowed, deciding, example }: DecisionChange): void {
    const groupsOf = this.#groupsOf(isAllowed);
    const group = groupsOf.get(deciding) ?? { count: 0, examples: [] };
    groupsOf.set(deciding, group);
    group.count++;
    if (example !== undefined && group.examples.length < MAX_EXAMPLES) group.examples.push(example);
  }

  report(counts: ReplayedCounts): ReplayReport {
    return {
      ...counts,
      allowedToDenied: changesOf(this.#groups.denied),
      deniedToAllowed: changesOf(this.#groups.allowed),
    };
  }

  #groupsOf(isAllowed: boolean): Map<Rule | null, Group> {
    return isAllowed ? this.#groups.allowed : this.#groups.denied;
  }
}

function changesOf(groups: ReadonlyMap<Rule | null, Group>): readonly ChangedDecisions[] {
  return Array.from(groups, ([rule, { count, examples }]) => ({
    rule: rule && { kind: rule.kind, location: printPath(rule.location), text: printRule(rule).text },
    count,
    examples,
  })).sort((a, b) => b.count - a.count);
}
