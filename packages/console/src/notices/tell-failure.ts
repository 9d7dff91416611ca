import { tell } from './notices.ts';

/** Says in passing why something could not be done. */
export function tellFailure(error: unknown): void {
  tell({ kind: 'failed', text: error instanceof Error ? error.message : String(error) });
}
