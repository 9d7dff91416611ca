import { createContext, useContext } from 'react';
import type { RefusedAct } from '../../../server/stand-in-api.ts';
import type { ReadQuestion } from '../../rules/simulator/question-form.ts';
import type { FoundStandIn } from './use-stand-in.ts';

/** In whose place data are looked at, and what can be done about it. */
export interface Acting {
  readonly who: FoundStandIn;
  /** What rules refused last, until it is put away. */
  readonly refused: RefusedAct | null;
  forgetRefused(): void;
  /** Asks in whose place. */
  choose(): void;
  stop(): void;
  /** Shows why rules decide as they do; the asker is known. */
  explain(question: Omit<ReadQuestion, 'auth'>): void;
}

export const ActingContext = createContext<Acting | undefined>(undefined);

/** Throws outside of an `ActingContext`. */
export function useActing(): Acting {
  const acting = useContext(ActingContext);
  if (acting === undefined) throw new Error('There is no context of acting around this view.');
  return acting;
}
