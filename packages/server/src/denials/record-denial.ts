import type { QueryVariables } from '@hearth/core/rules/rule-value.ts';
import { traceRule } from '@hearth/core/rules/trace-rule.ts';
import type { Identity } from '../identity/identity.ts';
import type { AskedOperation, DecidedOperation } from './asked-operation.ts';
import { type DeniedIdentity, type KeptRule, MAX_PATHS, type RecordedDenial } from './denial.ts';
import { type AskedRule, examineOperation, placeOf } from './examine-operation.ts';
import { printPath } from './print-path.ts';
import { printRule } from './printed-rule.ts';
import { recordReads } from './record-values.ts';
import { redactStep } from './redact-step.ts';
import { rulesHash } from './rules-hash.ts';
import { shortenStep } from './shorten-step.ts';

/**
 * What there is to say of an operation that its rules deny, while its tree is still as they saw it. Values that data holds
 * are in it only if they are to be kept.
 */
export function recordDenial(asked: AskedOperation, keepsValues: boolean): RecordedDenial {
  const { operation, values } = keepsValues
    ? recordReads(asked.operation)
    : { operation: asked.operation, values: () => null };
  const { isAllowed, rules, deciding } = examineOperation(asked.rules, operation);
  if (isAllowed) throw new Error('Bug: rules allow what they denied');
  const traced = rules.map((rule) => keepRule(rule, keepsValues));
  const kept = values();
  return {
    timeMs: operation.kind === 'read' ? operation.read.now : operation.write.now,
    operation: asked.name,
    paths: pathsOf(operation),
    pathCount: operation.kind === 'read' ? 1 : operation.write.writes.length,
    identity: identityOf(asked.identity),
    query: queryOf(operation),
    rulesHash: rulesHash(asked.rules),
    deciding: deciding === null ? null : rules.indexOf(deciding),
    rules: traced,
    cut: keepsValues && kept === null ? 'values' : 'nothing',
    values: kept,
  };
}

/** A rule with its trace; without the values of data, unless they are to be kept. */
export function keepRule(asked: AskedRule, keepsValues: boolean): KeptRule {
  const { text, rule } = printRule(asked.rule);
  const place = printPath(placeOf(asked));
  const { step } = traceRule(rule, asked.scope, place);
  return {
    kind: rule.kind,
    location: printPath(rule.location),
    place,
    documentSpan: asked.rule.expression.span,
    text,
    holds: asked.holds,
    step: keepsValues ? shortenStep(step) : redactStep(rule.expression, step),
  };
}

/** The first of them: an update may have very many. */
function pathsOf(operation: DecidedOperation): readonly string[] {
  if (operation.kind === 'read') return [printPath(operation.read.path)];
  return operation.write.writes
    .slice(0, MAX_PATHS)
    .map(({ kind, path }) => printPath(kind === 'priority' ? [...path, '.priority'] : path));
}

function queryOf(operation: DecidedOperation): QueryVariables | null {
  return operation.kind === 'read' ? operation.read.query : null;
}

function identityOf(identity: Identity): DeniedIdentity {
  return identity.kind === 'user' ? { kind: 'user', auth: identity.auth } : { kind: 'guest' };
}
