import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CUSTOM_TOKEN_AUDIENCE, type CustomTokenVerifier } from './custom-token.ts';
import type { Claims } from './jwt.ts';

const HERE = { projectId: 'demo', tenantId: undefined };
const THERE = { projectId: 'demo', tenantId: 'acme' };

/** A verifier of custom tokens for the project `demo`. */
export interface CustomTokenTestBed {
  readonly verifier: CustomTokenVerifier;
  /** Returns a token of the user `jack` that is valid now, with these changes to its claims. */
  readonly issue: (change: Claims) => string;
}

/** Declares the tests that every verifier of custom tokens must pass. */
export function customTokenVerifierContract(name: string, open: () => CustomTokenTestBed): void {
  describe(`custom token verifier contract: ${name}`, () => {
    test.each<[Claims, { uid: string; claims: Claims }]>([
      [{}, { uid: 'jack', claims: {} }],
      [{ claims: { role: 'admin' } }, { uid: 'jack', claims: { role: 'admin' } }],
      [
        { uid: undefined, user_id: 'jill' },
        { uid: 'jill', claims: {} },
      ],
      [{ uid: 'x'.repeat(128) }, { uid: 'x'.repeat(128), claims: {} }],
    ])('[I111][I114] a custom token signs its user in: %j', async (change, expected) => {
      const { verifier, issue } = open();
      expect(await verifier.verify(issue(change), HERE)).toEqual(expected);
      expect(await verifier.verify(issue(change), HERE)).toEqual(expected);
    });

    test.each<[Claims, string]>([
      [{ uid: undefined }, 'MISSING_IDENTIFIER'],
      [{ uid: '' }, 'MISSING_IDENTIFIER'],
      [{ uid: { a: 1 } }, 'MISSING_IDENTIFIER'],
      [{ uid: 'x'.repeat(129) }, 'INVALID_CUSTOM_TOKEN : The uid is longer than 128 characters.'],
      [{ claims: 'admin' }, 'INVALID_CLAIMS'],
      [{ claims: null }, 'INVALID_CLAIMS'],
      [{ claims: [] }, 'INVALID_CLAIMS'],
      [{ claims: { firebase: {} } }, 'FORBIDDEN_CLAIM : firebase'],
      [{ aud: 'demo' }, 'INVALID_CUSTOM_TOKEN'],
      [{ aud: [CUSTOM_TOKEN_AUDIENCE] }, 'INVALID_CUSTOM_TOKEN'],
      [{ aud: undefined }, 'INVALID_CUSTOM_TOKEN'],
    ])('[I112][I114] a custom token with %j is rejected: %s', async (change, message) => {
      const { verifier, issue } = open();
      await expect(verifier.verify(issue(change), HERE)).rejects.toThrow(message);
    });

    test.each([
      ['nothing', '', 'INVALID_CUSTOM_TOKEN'],
      ['two parts', 'a.b', 'INVALID_CUSTOM_TOKEN'],
      ['empty parts', '..', 'INVALID_CUSTOM_TOKEN'],
      ['JSON that is cut', '{"uid":', 'INVALID_CUSTOM_TOKEN'],
      ['JSON that is nested too deep', `{"a":${'['.repeat(3_000)}`, 'INVALID_CUSTOM_TOKEN'],
      [
        'too many characters',
        'x'.repeat(8_193),
        'INVALID_CUSTOM_TOKEN : The token is longer than 8192 characters.',
      ],
    ])('[I112][I114] text with %s is rejected', async (_what, text, message) => {
      await expect(open().verifier.verify(text, HERE)).rejects.toThrow(message);
    });

    test('[I112][I114] arbitrary text is rejected with a TokenProblem', async () => {
      const { verifier } = open();
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.string({ minLength: 1 }), fc.base64String({ minLength: 1 })),
          async (text) => {
            await expect(verifier.verify(`x${text}`, HERE)).rejects.toMatchObject({
              name: 'TokenProblem',
              code: 'INVALID_CUSTOM_TOKEN',
            });
          },
        ),
      );
    });

    test('[I113][I114] a tenant accepts only custom tokens that name the tenant', async () => {
      const { verifier, issue } = open();
      expect(await verifier.verify(issue({ tenant_id: 'acme' }), THERE)).toMatchObject({ uid: 'jack' });
      for (const change of [{}, { tenant_id: 'acne' }, { tenant_id: ['acme'] }])
        await expect(verifier.verify(issue(change), THERE)).rejects.toThrow('TENANT_ID_MISMATCH');
    });
  });
}
