import { expect, test } from 'vitest';
import { findOidcClient } from './provider-client.ts';

const ISSUER = new URL('https://provider.example');

function documentOf(issuer: string): Readonly<Record<string, unknown>> {
  return { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
}

test('[I963] flows share the client of a provider as long as its discovery document is used', async () => {
  const document = documentOf(ISSUER.origin);
  const client = await findOidcClient(document, ISSUER, 'a');
  expect(await findOidcClient(document, new URL(ISSUER), 'a')).toBe(client);
  expect(await findOidcClient(document, ISSUER, 'b')).not.toBe(client);
  const fetchedAgain = await findOidcClient(
    { ...document, token_endpoint: 'https://x.example/' },
    ISSUER,
    'a',
  );
  expect(fetchedAgain).not.toBe(client);
  expect(fetchedAgain.serverMetadata().token_endpoint).toBe('https://x.example/');
});

test('[I963] at most 64 clients of a discovery document are kept', async () => {
  const document = documentOf(ISSUER.origin);
  const first = await findOidcClient(document, ISSUER, 'a');
  for (let n = 0; n < 64; n++) await findOidcClient(document, ISSUER, `n${n}`);
  expect(await findOidcClient(document, ISSUER, 'a')).not.toBe(first);
});

test('[I963] a discovery document of another issuer is rejected each time', async () => {
  const document = documentOf('https://other.example');
  for (let n = 0; n < 2; n++) await expect(findOidcClient(document, ISSUER, 'a')).rejects.toThrow('issuer');
});
