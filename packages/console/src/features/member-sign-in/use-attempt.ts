import { useState } from 'react';

/** Something that is tried, perhaps again. */
export type Attempt =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Tries something, one at a time, and keeps why it failed until it is tried again. */
export function useAttempt(): readonly [Attempt, (work: () => Promise<void>) => Promise<void>] {
  const [attempt, setAttempt] = useState<Attempt>({ kind: 'idle' });
  async function run(work: () => Promise<void>): Promise<void> {
    if (attempt.kind === 'running') return;
    setAttempt({ kind: 'running' });
    try {
      await work();
      setAttempt({ kind: 'idle' });
    } catch (error) {
      setAttempt({ kind: 'failed', error });
    }
  }
  return [attempt, run];
}
