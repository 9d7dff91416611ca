import { RequestError } from '../../error/request-error.ts';
import type { Span } from '../syntax/problems.ts';
import { Fault } from './values.ts';

/**
 * Maximum number of units of work that the rules of one operation may cost. One unit takes about 2.5 ns, so the
 * limit is about a third of a second.
 */
export const MAX_WORK = 134_217_728;

/**
 * The work that remains for the rules of one operation. The work spent depends only on the rules and the
 * data.
 */
export class WorkBudget {
  #left: number;

  constructor(left: number = MAX_WORK) {
    this.#left = left;
  }

  /** Units of work that remain. Negative when the rules spent more than the budget. */
  get left(): number {
    return this.#left;
  }

  /** Spends units of work. Returns whether enough was left. The units stay spent in either case. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }
}

/** Spends units of work. Returns whether enough was left. Without a budget, there is no limit. */
export function spendWork(work: WorkBudget | undefined, units: number): boolean {
  return work === undefined || work.spend(units);
}

/** Returns the fault of a part of a rule for which too little work is left. */
export function tooMuchWorkFault(span: Span): Fault {
  return new Fault(
    span,
    'The rules of this operation exceeded their work limit here, because of long strings. Test the length of a string before other operations on it.',
  );
}

/** Returns the `write/too-big` error for a write whose rules take too long. */
export function tooMuchWorkError(): RequestError {
  return new RequestError(
    'write/too-big',
    'The write is too big for its rules: evaluating them takes too long. Split the write, or let the rules test the length of strings first.',
  );
}
