import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright';
import samlify from 'samlify';

/** A real SAML identity provider on this machine. */
export interface SamlServer {
  readonly entityId: string;
  readonly ssoUrl: string;
  close(): void;
}

/** A key with its certificate, both in PEM. */
interface SamlKey {
  readonly cert: string;
  readonly key: string;
}

const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const NAME_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

// The provider reads only documents of the server under test.
samlify.setSchemaValidator({ validate: async () => 'not checked' });

/** Starts a provider for a service that receives responses at an address. */
export async function openSamlServer(
  key: SamlKey,
  service: { readonly entityId: string; readonly callbackUrl: string },
): Promise<SamlServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const [entityId, ssoUrl] = [`${origin}/metadata`, `${origin}/sso`];
  const provider = samlify.IdentityProvider({
    entityID: entityId,
    privateKey: key.key,
    signingCert: key.cert,
    isAssertionEncrypted: false,
    nameIDFormat: [NAME_FORMAT],
    singleSignOnService: [{ Binding: REDIRECT, Location: ssoUrl }],
  });
  const consumer = samlify.ServiceProvider({
    entityID: service.entityId,
    wantAssertionsSigned: true,
    assertionConsumerService: [{ Binding: POST, Location: service.callbackUrl }],
  });
  /** Answers the form of the sign-in page with a SAML response to the request that the page received. */
  async function respond(request: IncomingMessage): Promise<string> {
    const form = new URLSearchParams(await text(request));
    const query = Object.fromEntries(new URLSearchParams(form.get('query') ?? ''));
    const asked = await provider.parseLoginRequest(consumer, 'redirect', { query });
    const email = `${form.get('name')}@example.com`;
    const { context } = await provider.createLoginResponse(consumer, { ...asked }, 'post', { email });
    return `<form method="post" action="${service.callbackUrl}">
<input type="hidden" name="SAMLResponse" value="${context}">
<input type="hidden" name="RelayState" value="${query['RelayState']}">
</form><script>document.forms[0].submit()</script>`;
  }
  server.on('request', async (request, response) => {
    const { search, pathname } = new URL(request.url ?? '', origin);
    response.writeHead(pathname === '/favicon.ico' ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
    });
    response.end(request.method === 'POST' ? await respond(request) : signInPage(search));
  });
  return {
    entityId,
    ssoUrl,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function signInPage(search: string): string {
  const query = search.slice(1).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<!doctype html><html lang="en"><title>Provider</title><form method="post">
<input type="hidden" name="query" value="${query}">
<label>Name <input name="name"></label><button>Sign in</button></form></html>`;
}

/** Signs in on the page of the provider. */
export async function signInWithSaml(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
