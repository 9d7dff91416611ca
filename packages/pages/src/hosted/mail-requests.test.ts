import { expect, test } from 'vitest';
import { Server } from './server.ts';

/** Returns a server that answers every request with an error of the Auth API. */
function rejecting(message: string): Server {
  return new Server({
    fetch: async () => Response.json({ error: { code: 400, message } }, { status: 400 }),
    apiKey: 'any',
    tenantId: undefined,
    language: 'en',
    proofs: { appCheck: undefined, solveChallenge: async () => 'token' },
  });
}

test.each(['EMAIL_NOT_FOUND', 'USER_DISABLED'])(
  '[I1515] the hosted page does not reveal that no mail is sent because of %s',
  async (code) => {
    const url = new URL('https://app.example/');
    const server = rejecting(code);
    expect(await server.sendReset('ann@example.com', url)).toEqual({ kind: 'ok', value: null });
    expect(await server.sendLink('ann@example.com', url)).toEqual({ kind: 'ok', value: null });
  },
);

test('[I1515] other problems of a mail are shown', async () => {
  const problem = { kind: 'problem', problem: 'tooManyAttempts' };
  const server = rejecting('QUOTA_EXCEEDED');
  expect(await server.sendLink('ann@example.com', new URL('https://app.example/'))).toEqual(problem);
});
