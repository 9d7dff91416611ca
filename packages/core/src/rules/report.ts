import type { Hint } from './problem.ts';

/** Takes a problem of a rules document. `offset` counts UTF-16 units from its start. */
export type Report = (offset: number, message: string, hint?: Hint) => void;
