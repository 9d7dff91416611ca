import { RequestError, type RequestErrorCode } from '@hearth/core/error/request-error.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANONYMOUS, type Principal } from './principal.ts';
import type { CredentialVerifier, DatabaseResource } from './verifier.ts';

/** A verifier, and a credential that it accepts for a database. */
export interface VerifierTestBed {
  readonly verifier: CredentialVerifier;
  readonly resource: DatabaseResource;
  readonly token: string;
  /** Whether the credential belongs to an administrator, who may impersonate others. */
  readonly isAdmin: boolean;
  /** Tokens that the verifier must reject. */
  readonly rejected: readonly string[];
}

/** The codes of the errors with which a verifier may reject, in addition to `member/…`. */
const CODES: readonly RequestErrorCode[] = [
  'auth/unreadable',
  'auth/expired',
  'auth/admin-only',
  'auth/role',
];

/** Declares the tests that every verifier of credentials must pass. */
export function credentialVerifierContract(name: string, open: () => Promise<VerifierTestBed>): void {
  describe(`credential verifier contract: ${name}`, () => {
    test('[H526] a credential has the same principal each time, and for several callers at the same time', async () => {
      const { verifier, resource, token } = await open();
      const first = await verifier.verify({ token }, resource);
      const again = await Promise.all([1, 2, 3].map(() => verifier.verify({ token }, resource)));
      expect(again).toEqual([first, first, first]);
    });

    test('[H526] a principal is JSON, so that the server can store it', async () => {
      const { verifier, resource, token } = await open();
      const principal = await verifier.verify({ token }, resource);
      expect(JSON.parse(JSON.stringify(principal))).toEqual(principal);
    });

    test.each<[string, Readonly<Record<string, unknown>> | null]>([
      ['a user', { uid: 'bob', role: { level: 3 } }],
      ['a user without any field', {}],
      ['an anonymous client', null],
    ])('[H35] only an administrator can impersonate %s', async (_what, override) => {
      const { verifier, resource, token, isAdmin } = await open();
      const principal = await verifier.verify({ token, override }, resource);
      if (isAdmin) expect(authOf(principal)).toEqual(override);
      else expect(principal).toEqual(await verifier.verify({ token }, resource));
      expect(isAdmin && override === null && principal.kind).toBe(
        isAdmin && override === null && ANONYMOUS.kind,
      );
    });

    test('[H33][I443] a token that is not valid is rejected with one of the documented codes, also with an override', async () => {
      const { verifier, resource, rejected } = await open();
      expect(rejected).not.toEqual([]);
      for (const token of rejected)
        for (const override of [{}, { override: null }, { override: { uid: 'bob' } }])
          await expect(codeOf(verifier, token, resource, override)).resolves.toSatisfy(isDocumented);
    });

    test('[H526] after rejected tokens, a valid token is still accepted', async () => {
      const { verifier, resource, token, rejected } = await open();
      const first = await verifier.verify({ token }, resource);
      for (const text of rejected) await codeOf(verifier, text, resource, {});
      expect(await verifier.verify({ token }, resource)).toEqual(first);
    });

    test('[H526] arbitrary text is either accepted or rejected with one of the documented codes', async () => {
      const { verifier, resource, token } = await open();
      const texts = fc.oneof(
        fc.string(),
        fc.array(fc.base64String(), { minLength: 3, maxLength: 3 }).map((parts) => parts.join('.')),
        fc.nat(token.length).map((length) => token.slice(0, length)),
        fc.nat(token.length).map((at) => `${token.slice(0, at)}é${token.slice(at)}`),
        fc.constantFrom(
          'hearth-local-1.',
          'hearth-access-1.',
          'hearth-member-1.',
          '__proto__',
          'x'.repeat(100_000),
        ),
      );
      await fc.assert(
        fc.asyncProperty(texts, async (text) => {
          const code = await codeOf(verifier, text, resource, {});
          expect(code === undefined || isDocumented(code)).toBe(true);
        }),
      );
    });
  });
}

/** Returns the code with which a token is rejected, or `undefined` if it is accepted. */
async function codeOf(
  verifier: CredentialVerifier,
  token: string,
  resource: DatabaseResource,
  override: { readonly override?: Readonly<Record<string, unknown>> | null },
): Promise<RequestErrorCode | undefined> {
  // A verifier rejects; it does not throw before it returns its promise.
  const verified = verifier.verify({ token, ...override }, resource);
  try {
    await verified;
    return undefined;
  } catch (error) {
    if (error instanceof RequestError) return error.code;
    throw error;
  }
}

function isDocumented(code: RequestErrorCode | undefined): boolean {
  return code !== undefined && (CODES.includes(code) || code.startsWith('member/'));
}

/** Returns the `auth` variable of the rules. */
function authOf(principal: Principal): Readonly<Record<string, unknown>> | null {
  return principal.kind === 'user' ? principal.auth : null;
}
