import { expect, test } from 'vitest';
import { parseActionParameters } from './parameters.ts';

const LINK = { kind: 'action', mode: 'verifyEmail', oobCode: 'code', apiKey: 'key' };

test('[I161] a link has a mode, a code and an API key, and may have a continue URL and a tenant', () => {
  const page = { ...LINK, continueUrl: 'https://app.example.com/a?b', tenantId: 't' };
  const parameters = parseActionParameters({ page, lang: 'de', styleNonce: 'n' });
  const continueUrl = new URL('https://app.example.com/a?b');
  const link = { ...page, continueUrl, appCheck: undefined };
  expect(parameters).toEqual({ page: link, look: undefined, lang: 'de', styleNonce: 'n' });
});

test('[I1753] a page knows which methods accept an App Check token once', () => {
  const appCheck = { limitedUse: ['accounts:update'] };
  expect(parseActionParameters({ page: { ...LINK, appCheck } }).page).toMatchObject({ appCheck });
  expect(parseActionParameters({ page: { ...LINK, appCheck: {} } }).page).toMatchObject({
    appCheck: { limitedUse: [] },
  });
});

const LOOK = { name: 'Shop', lightColor: '#006644', logo: 'data:image/png;base64,AAAA' };

test.each([
  [LOOK, { name: 'Shop', colors: { light: '#006644' }, logo: LOOK.logo }],
  [{ ...LOOK, lightColor: 'red;}' }, { colors: {} }],
  [{ ...LOOK, cornerRadius: 4 }, { cornerRadius: 4 }],
  [{ ...LOOK, cornerRadius: 25 }, { cornerRadius: undefined }],
  [{ ...LOOK, cornerRadius: '1px}' }, { cornerRadius: undefined }],
  [{ ...LOOK, logo: 'https://example.com/logo.png' }, { logo: undefined }],
  [{ ...LOOK, logo: 'data:image/svg+xml;base64,AAAA' }, { logo: undefined }],
])('[I1593] the page uses a color and a logo only if they have the expected form: %j', (look, expected) => {
  expect(parseActionParameters({ page: { ...LINK, look } }).look).toMatchObject(expected);
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
  [{ page: { kind: 'rejected', reason: 'noContinueUrl' } }, 'noContinueUrl'],
  [{ page: { kind: 'rejected', reason: 'unknownMode' } }, 'unknownMode'],
  [{ page: { kind: 'rejected', reason: 'wrongProject' } }, 'wrongProject'],
  [{ page: { kind: 'rejected', reason: 'else' } }, 'incomplete'],
])('[I169] the parameters %j are rejected with the reason %s', (json, reason) => {
  expect(parseActionParameters(json).page).toEqual({ kind: 'rejected', reason });
});
