import { RequestError } from '../../error/request-error.ts';
import type { Span } from '../syntax/problems.ts';
import { Fault } from './values.ts';

/** Most units of work that the rules of one operation may cost. A unit is some 2.5 ns: together a third of a second. */
export const MAX_WORK = 134_217_728;

/** The work that is left to the rules of one operation. What it is spent on depends on nothing but the rules and the data. */
export class WorkBudget {
  #left: number;

  constructor(left: number = MAX_WORK) {
    this.#left = left;
  }

  /** Negative when more was spent than there was. */
  get left(): number {
    return this.#left;
  }

  /** Returns whether there was enough. What is spent stays spent. */
  spend(units: number): boolean {
    this.#left -= units;
    return this.#left >= 0;
  }
}

/** Returns whether enough was left. Without a budget there is no bound. */
export function spendWork(work: WorkBudget | undefined, units: number): boolean {
  return work === undefined || work.spend(units);
}

/** What a part of a rule comes to for which too little work is left. */
export function tooMuchWorkFault(span: Span): Fault {
  return new Fault(
    span,
    'The rules of this operation have taken too long with long strings up to here. Test the length of a string before anything else is asked of it.',
  );
}

/** What a write is refused with whose rules take too long. */
export function tooMuchWork(): RequestError {
  return new RequestError(
    'write/too-big',
    'The write is too big for its rules: to ask them takes too long. Write it in parts, or make the rules test the length of strings before anything else.',
  );
}
