import { expect, onTestFinished, test, vi } from 'vitest';
import { Verifiers } from './verifiers.ts';

/** Renders an invisible verifier, which needs no page, and starts it. Solving a challenge takes `solvingMs`. */
async function startVerifier(solvingMs: number) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const events: string[] = [];
  const verifiers = new Verifiers(
    () => new Promise((resolve) => setTimeout(() => resolve('token'), solvingMs)),
  );
  const id = verifiers.render({} as HTMLElement, {
    size: 'invisible',
    callback: (token: string) => events.push(token),
    'expired-callback': () => events.push('expired'),
    'error-callback': () => events.push('error'),
  });
  verifiers.execute(id);
  await vi.advanceTimersByTimeAsync(solvingMs);
  return { events, token: () => verifiers.getResponse(id) };
}

test.each([0, 20_000, 109_000])(
  '[I892] a token expires 110 s after the challenge was requested, if solving took %i ms',
  async (solvingMs) => {
    const { events, token } = await startVerifier(solvingMs);
    expect(token()).toBe('token');
    await vi.advanceTimersByTimeAsync(110_000 - solvingMs - 1);
    expect(events).toEqual(['token']);
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual(['token', 'expired']);
    expect(token()).toBe('');
  },
);

test('[I892] a challenge that took too long to solve is an error', async () => {
  const { events, token } = await startVerifier(110_000);
  expect(events).toEqual(['error', 'unsolved']);
  expect(token()).toBe('');
});
