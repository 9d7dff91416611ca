import type { AuthAnswer, AuthClient } from '../api/auth-client.fixture.ts';

/** A user of Google whose address Google proves. */
export const GOOGLE_ANN = { sub: '100', email: 'ann@example.com', email_verified: true, name: 'Ann' };

/** Signs in with a token of a provider, as the official SDK for browsers does. In development mode, the token is claims. */
export function signInWithIdToken(
  client: AuthClient,
  claims: unknown,
  change: Readonly<Record<string, unknown>> = {},
  providerId = 'google.com',
): Promise<AuthAnswer> {
  const idToken = typeof claims === 'string' ? claims : JSON.stringify(claims);
  return client.post('accounts:signInWithIdp', {
    requestUri: 'http://localhost',
    postBody: new URLSearchParams({ id_token: idToken, providerId }).toString(),
    returnSecureToken: true,
    returnIdpCredential: true,
    ...change,
  });
}
