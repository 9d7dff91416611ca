import { useMutation } from '@tanstack/react-query';
import { explainRules, type RulesAnswer } from '../../../server/rules.ts';
import { useApi } from '../../../session/session.ts';
import type { ReadQuestion } from './question-form.ts';

/** How far the answer to a question has come. */
export type Simulation =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'ready'; readonly answer: RulesAnswer; readonly question: ReadQuestion };

interface Asked {
  readonly question: ReadQuestion;
  /** Rules to decide by; `undefined` for those in force. */
  readonly source: string | undefined;
}

/** Asks why rules would allow an operation now, or not. Nothing is written. */
export function useSimulation(database: string): {
  readonly simulation: Simulation;
  ask(asked: Asked): void;
} {
  const api = useApi();
  const { status, data, error, variables, mutate } = useMutation({
    mutationFn: ({ question, source }: Asked) =>
      explainRules(api, database, { ...question, ...(source === undefined ? {} : { source }) }),
  });
  return { simulation: read(), ask: mutate };
  function read(): Simulation {
    switch (status) {
      case 'pending':
        return { kind: 'running' };
      case 'error':
        return { kind: 'failed', error };
      case 'success':
        return { kind: 'ready', answer: data, question: variables.question };
      default:
        return { kind: 'idle' };
    }
  }
}
