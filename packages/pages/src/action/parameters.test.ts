import { expect, test } from 'vitest';
import { parseActionParameters } from './parameters.ts';

const LINK = { kind: 'action', mode: 'verifyEmail', oobCode: 'code', apiKey: 'key' };

test('[I161] a link has a mode, a code and an API key, and may have a continue URL and a tenant', () => {
  const page = { ...LINK, continueUrl: 'https://app.example.com/a?b', tenantId: 't' };
  const parameters = parseActionParameters({ page, lang: 'de', styleNonce: 'n' });
  const continueUrl = new URL('https://app.example.com/a?b');
  expect(parameters).toEqual({ page: { ...page, continueUrl }, lang: 'de', styleNonce: 'n' });
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'not an address', '//app.example.com', 7])(
  '[I165] %j is not accepted as a continue URL',
  (continueUrl) => {
    const { page } = parseActionParameters({ page: { ...LINK, continueUrl } });
    expect(page).toMatchObject({ kind: 'action', continueUrl: undefined });
  },
);

test.each([
  [undefined, 'incomplete'],
  [[], 'incomplete'],
  [{ page: 'x' }, 'incomplete'],
  [{ page: { ...LINK, oobCode: '' } }, 'incomplete'],
  [{ page: { ...LINK, mode: 'signIn' } }, 'incomplete'],
  [{ page: { kind: 'refused', reason: 'noContinueUrl' } }, 'noContinueUrl'],
  [{ page: { kind: 'refused', reason: 'unknownMode' } }, 'unknownMode'],
  [{ page: { kind: 'refused', reason: 'wrongProject' } }, 'wrongProject'],
  [{ page: { kind: 'refused', reason: 'else' } }, 'incomplete'],
])('[I169] the parameters %j are rejected with the reason %s', (json, reason) => {
  expect(parseActionParameters(json).page).toEqual({ kind: 'refused', reason });
});
