import { createHash } from 'node:crypto';
import type { ProposedWrite } from '@hearth/core/rules/evaluate/operation.ts';
import type { RuleSet } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { QueryVariables } from '@hearth/core/rules/evaluate/values.ts';
import { traceRule } from '@hearth/core/rules/explain/trace.ts';
import type { Priority, Scalar, TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import type { AuthorizationRequest, DecidedOperation } from '../../access/authorization-request.ts';
import type { Principal } from '../../access/principal.ts';
import { type EvaluatedRule, examineOperation, locationOf } from '../examine-operation.ts';
import {
  type CapturedInputs,
  type DeniedIdentity,
  MAX_PATHS,
  type RecordedDenial,
  type StoredRead,
  type StoredRule,
  type StoredWrite,
} from './denial.ts';
import { MAX_ENTRY_BYTES, printRule } from './record.ts';
import { printPath, RecordingTree, RecordingView } from './recording-tree.ts';
import { redactStep, shortenStep } from './redact.ts';

const RULES_HASHES = new WeakMap<RuleSet, string>();

/** Returns the SHA-256 of the rules document, in hexadecimal. It identifies the version of the rules. */
function rulesHash(rules: RuleSet): string {
  const known = RULES_HASHES.get(rules);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(rules.source).digest('hex');
  RULES_HASHES.set(rules, hash);
  return hash;
}

/** Approximate size of a number, a boolean, or the braces of an object. */
const SCALAR_BYTES = 24;

/**
 * Returns the approximate size of a node in bytes, as JSON or in memory. Stops counting once the size reaches
 * `limit`.
 */
export function nodeSize(node: TreeNode | null, limit: number): number {
  if (node === null) return 0;
  const ownBytes = scalarSize(node.priority);
  if (node.kind === 'leaf') return ownBytes + scalarSize(node.value);
  let bytes = ownBytes + SCALAR_BYTES;
  for (const [key, child] of node.children) {
    if (bytes >= limit) break;
    bytes += key.length + nodeSize(child, limit - bytes);
  }
  return bytes;
}

/** Returns the approximate size of a leaf's value or a priority. */
export function scalarSize(value: Scalar | Priority): number {
  if (value === null) return 0;
  return typeof value === 'string' ? SCALAR_BYTES + value.length : SCALAR_BYTES;
}

/** Writes of this size do not fit in an entry, in any encoding. */
const LONG_BYTES = 8 * MAX_ENTRY_BYTES;

/** Size of a write apart from its path and its value. */
const BASE_BYTES = 32;

/**
 * Returns the same operation on a tree that records its reads. `values` returns the values that were read and
 * written; `null` if they are too large.
 */
function recordReads(operation: DecidedOperation): {
  readonly operation: DecidedOperation;
  readonly values: () => CapturedInputs | null;
} {
  if (operation.kind === 'read') {
    const tree = new RecordingView(operation.read.tree);
    return {
      operation: { kind: 'read', read: { ...operation.read, tree } },
      values: () => valuesOf(tree.reads, []),
    };
  }
  const tree = new RecordingTree(operation.write.tree);
  return {
    operation: { kind: 'write', write: { ...operation.write, tree } },
    values: () => valuesOf(tree.reads, operation.write.writes),
  };
}

function valuesOf(
  reads: readonly StoredRead[] | null,
  writes: readonly ProposedWrite[],
): CapturedInputs | null {
  return reads === null || isLong(writes) ? null : { writes: writes.map(keepWrite), reads };
}

/** Returns whether the writes are certainly larger than an entry may be. Such writes are not serialized. */
function isLong(writes: readonly ProposedWrite[]): boolean {
  let bytes = 0;
  for (const write of writes) {
    bytes += write.kind === 'node' ? nodeSize(write.node, LONG_BYTES) : scalarSize(write.priority);
    bytes += BASE_BYTES + write.path.reduce((sum, key) => sum + key.length, 0);
    if (bytes > LONG_BYTES) return true;
  }
  return false;
}

function keepWrite(write: ProposedWrite): StoredWrite {
  const path = printPath(write.path);
  return write.kind === 'node'
    ? { kind: 'node', path, json: exportJson(write.node) }
    : { kind: 'priority', path, priority: write.priority };
}

/**
 * Returns the record of a denied operation. Must be called before the operation changes the tree. The record
 * contains values of the data only if `keepsValues` is true.
 */
export function recordDenial(request: AuthorizationRequest, keepsValues: boolean): RecordedDenial {
  const { operation, values } = keepsValues
    ? recordReads(request.operation)
    : { operation: request.operation, values: () => null };
  const { isAllowed, rules, deciding } = examineOperation(request.rules, operation);
  if (isAllowed) throw new Error('Bug: rules allow what they denied');
  const traced = rules.map((rule) => keepRule(rule, keepsValues));
  const kept = values();
  return {
    timeMs: operation.kind === 'read' ? operation.read.now : operation.write.now,
    operation: request.name,
    paths: pathsOf(operation),
    pathCount: operation.kind === 'read' ? 1 : operation.write.writes.length,
    identity: identityOf(request.identity),
    query: queryOf(operation),
    rulesHash: rulesHash(request.rules),
    deciding: deciding === null ? null : rules.indexOf(deciding),
    rules: traced,
    cut: keepsValues && kept === null ? 'values' : 'nothing',
    values: kept,
  };
}

/** Returns a rule with its trace. The trace contains values of the data only if `keepsValues` is true. */
export function keepRule(evaluated: EvaluatedRule, keepsValues: boolean): StoredRule {
  const { text, rule } = printRule(evaluated.rule);
  const evaluatedPath = printPath(locationOf(evaluated));
  const { step } = traceRule(rule, evaluated.scope, evaluatedPath);
  return {
    kind: rule.kind,
    location: printPath(rule.location),
    place: evaluatedPath,
    documentSpan: evaluated.rule.expression.span,
    text,
    holds: evaluated.holds,
    step: keepsValues ? shortenStep(step) : redactStep(rule.expression, step),
  };
}

/** Returns only the first paths, because an update may have very many. */
function pathsOf(operation: DecidedOperation): readonly string[] {
  if (operation.kind === 'read') return [printPath(operation.read.path)];
  return operation.write.writes
    .slice(0, MAX_PATHS)
    .map(({ kind, path }) => printPath(kind === 'priority' ? [...path, '.priority'] : path));
}

function queryOf(operation: DecidedOperation): QueryVariables | null {
  return operation.kind === 'read' ? operation.read.query : null;
}

function identityOf(identity: Principal): DeniedIdentity {
  return identity.kind === 'user' ? { kind: 'user', auth: identity.auth } : { kind: 'guest' };
}
