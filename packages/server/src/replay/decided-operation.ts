import type { RuleTree } from '@hearth/core/rules/rule-view.ts';
import type { DecidedOperation } from '../denials/asked-operation.ts';
import type { RecordedOperation } from './recorded-operation.ts';

/** A recorded operation, to be decided on a tree. */
export function decidedOperation(recorded: RecordedOperation, tree: RuleTree): DecidedOperation {
  const common = { auth: recorded.auth, now: recorded.timeMs, tree };
  return recorded.kind === 'read'
    ? { kind: 'read', read: { ...common, path: recorded.path, query: recorded.query } }
    : { kind: 'write', write: { ...common, writes: recorded.writes } };
}
