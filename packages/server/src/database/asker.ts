import type { OperationName } from '../denials/operation-name.ts';
import type { Identity } from '../identity/identity.ts';

/** Who asks, and for what, as the logs of denials and of operations call it. */
export interface Asker {
  readonly operation: OperationName;
  readonly identity: Identity;
}
