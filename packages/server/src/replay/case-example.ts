import { NodeTree } from '@hearth/core/rules/node-tree.ts';
import type { ProposedWrite } from '@hearth/core/rules/operation.ts';
import { NO_QUERY } from '@hearth/core/rules/query-variables.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { QueryVariables } from '@hearth/core/rules/rule-value.ts';
import type { RuleTree } from '@hearth/core/rules/rule-view.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { examineOperation } from '../denials/examine-operation.ts';
import { parseJsonWithDoubles, printJsonWithDoubles } from '../denials/json-with-doubles.ts';
import { printPath } from '../denials/print-path.ts';
import { RecordingTree } from '../denials/recording-tree.ts';
import { decidedOperation } from './decided-operation.ts';
import { nodeOfReads } from './node-of-reads.ts';
import type { RecordedOperation } from './recorded-operation.ts';

/** A case of a case file, as JSON. */
export type CaseExample = Readonly<Record<string, unknown>>;

/**
 * The operation as a test case: with the data that the rules in force and the draft looked at, and the verdict of those in
 * force. `undefined` if that much data would not lead both to the same verdicts.
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

/** What it says beside nothing. */
function printQuery(query: QueryVariables): CaseExample | undefined {
  const none: CaseExample = { ...NO_QUERY };
  const said = Object.entries(query).filter(([name, value]) => value !== none[name]);
  return said.length === 0 ? undefined : Object.fromEntries(said);
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
