/** What a token is for. Each use has an issuer and signing keys of its own, so that none passes for another. */
export type TokenUse = 'idToken' | 'sessionCookie';

export const TOKEN_USES: readonly TokenUse[] = ['idToken', 'sessionCookie'];

/** Fixed in the verifiers of all official clients; the project's id follows. */
const ISSUERS: Readonly<Record<TokenUse, string>> = {
  idToken: 'https://securetoken.google.com/',
  sessionCookie: 'https://session.firebase.google.com/',
};

export function tokenIssuer(use: TokenUse, projectId: string): string {
  return `${ISSUERS[use]}${projectId}`;
}
