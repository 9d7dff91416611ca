import type { Turn } from '../commit/turn.ts';
import type { AskedOperation } from '../denials/asked-operation.ts';

/** Is told what rules said, within the turn in which they were asked. */
export interface VerdictObserver {
  tell(turn: Turn, asked: AskedOperation, isAllowed: boolean): void;
}
