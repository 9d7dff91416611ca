import { expect, test } from 'vitest';
import { HANDLER, openFlows, START } from './sign-in-flow.fixture.ts';

const EVIL = 'https://evil.example/steal?x=1';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const EVENT = { event: 'redirect_rejected', projectId: 'demo', result: 'UNAUTHORIZED_DOMAIN' };

/** By the path of a page: parameters that name another site, and the status of the response. */
const PAGES: readonly (readonly [path: string, query: Readonly<Record<string, string>>, status: number])[] = [
  [HANDLER, { ...START, redirectUrl: EVIL }, 400],
  ['/__/auth/sign-in', { apiKey: 'any', redirectUrl: EVIL, state: 's', challenge: CHALLENGE }, 400],
  ['/__/auth/sign-in', { apiKey: 'any', redirectUrl: EVIL, screen: 'account' }, 400],
  ['/__/auth/links', { link: `${EVIL}&apiKey=any` }, 400],
  ['/__/auth/action', { apiKey: 'any', mode: 'signIn', oobCode: 'x', continueUrl: EVIL }, 400],
  ['/__/auth/action', { apiKey: 'any', mode: 'verifyEmail', oobCode: 'x', continueUrl: EVIL }, 200],
];

test.each(PAGES)(
  '[I363][I1724] %s with %j leads to no other site, and records the attempt',
  async (path, query, status) => {
    const { client, get } = await openFlows();
    const answer = await get(query, undefined, path);
    expect([answer.status, answer.headers['location'], answer.body.includes('evil')]).toEqual([
      status,
      undefined,
      false,
    ]);
    expect(client.audited.filter(({ event }) => event === EVENT.event)).toMatchObject([
      { ...EVENT, actor: 'app', detail: `${path}: evil.example` },
    ]);
  },
);

test('[I363][I1724] no attempt is recorded for authorized addresses and for unknown projects', async () => {
  const { client, get } = await openFlows();
  const own = 'http://localhost:3000/page';
  await get(START);
  await get(
    { apiKey: 'any', mode: 'verifyEmail', oobCode: 'x', continueUrl: own },
    undefined,
    '/__/auth/action',
  );
  await get({ link: EVIL }, undefined, '/__/auth/links');
  expect(client.audited.filter(({ event }) => event === EVENT.event)).toEqual([]);
});

test('[I360][I1321][I1500][I1724] methods that would send users to another site are rejected, and the attempt is recorded', async () => {
  const { client } = await openFlows();
  const mail = { requestType: 'PASSWORD_RESET', email: 'ann@example.com', continueUrl: EVIL };
  const start = { providerId: 'oidc.work', continueUri: EVIL };
  const code = JSON.stringify({ apiKey: 'any', challenge: CHALLENGE, redirectUrl: EVIL });
  const origin = { origin: 'http://localhost:9000' };
  const attempts = [
    () => client.post('accounts:sendOobCode', mail),
    () => client.post('accounts:createAuthUri', start),
    () => client.request('POST', '/__/auth/session:code', code, origin),
  ];
  for (const attempt of attempts) expect((await attempt()).error).toMatch(/^UNAUTHORIZED_DOMAIN/);
  expect(client.audited.map(({ event, result }) => [event, result])).toEqual([
    ['provider_config_changed', 'ok'],
    ['code_issued', EVENT.result],
    [EVENT.event, EVENT.result],
    [EVENT.event, EVENT.result],
  ]);
});
