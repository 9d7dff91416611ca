import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import type { Page } from 'playwright';

/** A real OpenID provider on this machine. */
export interface OidcServer {
  readonly issuer: string;
  close(): void;
}

/** A client of the provider. */
export const CLIENT = { id: 'shop', secret: 'a secret that only the server knows' } as const;

/** Starts a provider with one client, whose users return to `redirectUri`. */
export async function openOidcServer(redirectUri: string): Promise<OidcServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    cookies: { keys: ['test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id }),
    }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    // The pages of this provider would load a font from another host.
    response.setHeader('content-security-policy', "default-src 'self' 'unsafe-inline'");
    void answer(request, response);
  });
  return {
    issuer,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Signs in on the page of the provider, and consents. */
export async function signInAtProvider(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
