import type { ReadOperation, WriteOperation } from '@hearth/core/rules/operation.ts';
import type { RuleSet } from '@hearth/core/rules/rule-set.ts';
import type { Identity } from '../identity/identity.ts';
import type { OperationName } from './operation-name.ts';

/** An operation as rules decide it. */
export type DecidedOperation =
  | { readonly kind: 'read'; readonly read: ReadOperation }
  | { readonly kind: 'write'; readonly write: WriteOperation };

/** An operation that rules were asked about. Its trees are those of the turn, and are looked at only within it. */
export interface AskedOperation {
  readonly name: OperationName;
  /** Never an administrator, whom rules do not apply to. */
  readonly identity: Identity;
  readonly rules: RuleSet;
  readonly operation: DecidedOperation;
  /** Were rules asked without seeing what is to be written? What `operation` writes is then not what will be there. */
  readonly isUnseen: boolean;
}
