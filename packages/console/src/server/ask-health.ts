import { tellAnswered, tellUnanswered } from './connectivity.ts';

/** How long the server may take to say that it is there, in milliseconds. */
const LIMIT_MS = 5_000;

/** `GET /healthz`: finds out whether the server answers, and tells. */
export async function askHealth(): Promise<void> {
  try {
    const { ok } = await fetch('/healthz', { signal: AbortSignal.timeout(LIMIT_MS), cache: 'no-store' });
    if (ok) tellAnswered();
    else tellUnanswered();
  } catch {
    tellUnanswered();
  }
}
