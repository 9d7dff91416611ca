import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createIdpKey } from '../../auth/saml/identity-provider.fixture.ts';
import { findLocalAccess } from '../local-access.ts';
import { PROCESS_LIMIT_MS } from '../program.fixture.ts';
import { openShop } from './shop.fixture.ts';

test(
  '[I974] identity providers are set, switched off, removed and shown, without their secrets',
  async () => {
    const { run } = await openShop();
    expect((await run('providers', 'shop')).output).toMatch(/^No providers/);
    const google = ['--provider', 'google.com', '--client-id', 'web', '--other-client', 'android'];
    expect((await run('providers', 'shop', ...google)).output).toBe(
      'google.com  on   web, trusted emails: default\n',
    );
    process.env['HEARTH_PROVIDER_SECRET'] = 's3cret';
    try {
      const issuer = ['--issuer', 'https://id.example', '--trust-email', 'example.com'];
      const { code, output } = await run(
        ...['providers', 'shop', '--provider', 'oidc.work', '--client-id', 'shop'],
        ...issuer,
      );
      expect([code, output]).toEqual([
        0,
        [
          'google.com  on   web, trusted emails: default',
          'oidc.work   on   shop at https://id.example, trusted emails: example.com',
          '',
        ].join('\n'),
      ]);
    } finally {
      delete process.env['HEARTH_PROVIDER_SECRET'];
    }
    const off = await run('providers', 'shop', '--provider', 'oidc.work', '--trust-email', 'never', '--off');
    expect(off.output).toContain('oidc.work   off  shop at https://id.example, trusted emails: never\n');
    expect((await run('providers', 'shop', '--provider', 'google.com', '--remove')).output).toBe(
      'oidc.work  off  shop at https://id.example, trusted emails: never\n',
    );
    const key = await run('providers', 'shop', '--saml-key', 'prepare');
    expect([key.code, key.output]).toEqual([1, expect.stringContaining('There is no SAML provider.')]);
    expect((await run('providers', 'shop', '--saml-key', 'twice')).output).toContain(
      'prepare, finish or cancel',
    );
    const unnamed = await run('providers', 'shop', '--client-id', 'x');
    expect([unnamed.code, unnamed.output]).toEqual([2, expect.stringContaining('--provider google.com')]);
  },
  PROCESS_LIMIT_MS,
);

/** Creates a SAML provider, as the console does. */
async function createSamlProvider(directory: string): Promise<void> {
  const access = findLocalAccess(join(directory, '.hearth'));
  const body = {
    enabled: true,
    idpConfig: {
      idpEntityId: 'https://id.example',
      ssoUrl: 'https://id.example/sso',
      idpCertificates: [{ x509Certificate: createIdpKey().certificate }],
    },
    spConfig: { spEntityId: 'https://app.example' },
  };
  const url = `${access?.url}/v2/projects/shop/inboundSamlConfigs?inboundSamlConfigId=saml.work`;
  const headers = { authorization: `Bearer ${access?.token}`, 'content-type': 'application/json' };
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(status).toBe(200);
}

test(
  '[I1692] the key for SAML is replaced in two steps, which print its certificates',
  async () => {
    const { run, directory } = await openShop();
    await createSamlProvider(directory);
    const certificatesOf = ({ output }: { readonly output: string }) =>
      output.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    const prepared = await run('providers', 'shop', '--saml-key', 'prepare');
    expect(prepared.output).toMatch(/^saml\.work {2}on /);
    expect(prepared.output).toMatch(/Certificate that signs requests, valid until \d{4}-/);
    const [first, next, ...more] = certificatesOf(prepared);
    expect(more).toEqual([]);
    expect(prepared.output).toContain('Certificate of the next key, valid until');
    expect(certificatesOf(await run('providers', 'shop', '--saml-key', 'cancel'))).toEqual([first]);
    const again = certificatesOf(await run('providers', 'shop', '--saml-key', 'prepare'));
    expect(again).toEqual([first, expect.not.stringContaining(String(next))]);
    expect(certificatesOf(await run('providers', 'shop', '--saml-key', 'finish'))).toEqual([again[1]]);
    const finished = await run('providers', 'shop', '--saml-key', 'finish');
    expect([finished.code, finished.output]).toEqual([1, expect.stringContaining('Begin with PREPARE.')]);
  },
  PROCESS_LIMIT_MS,
);
