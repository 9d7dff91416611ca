import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { projectScope, scopeOfName } from '../tenants/scope.ts';
import { MAX_UID_LENGTH } from './id-token.ts';
import { type Claims, encodeClaims, encodeJwt } from './jwt.ts';
import { MAX_TOKEN_LENGTH, type TokenSigner, type TokenVerifier } from './services.ts';

const INVALID = expect.objectContaining({ name: 'TokenProblem', code: 'INVALID_ID_TOKEN' });

/** A service for tokens of the project `demo`. */
export interface TokenTestBed {
  readonly tokens: TokenSigner & TokenVerifier;
  /** The time, in seconds since 1970. */
  readonly nowSec: number;
  /** Returns a token with these claims from another service. The tested service must reject the token. */
  readonly signElsewhere: (claims: Claims) => Promise<string>;
}

/** Declares the tests that every service for tokens must pass. */
export function tokenServiceContract(name: string, open: () => TokenTestBed): void {
  describe(`token service contract: ${name}`, () => {
    test('[I98][I101] an issued token is accepted, with the user and the times that it names', async () => {
      const { tokens, nowSec } = open();
      const claims = {
        ...claimsAt(nowSec),
        firebase: {
          tenant: 'acme',
          sign_in_provider: 'phone',
          sign_in_second_factor: 'totp',
          second_factor_identifier: 'e1',
        },
      };
      const token = await tokens.sign(claims);
      expect(await tokens.verify(token, scopeOfName('demo/acme'))).toEqual({
        uid: 'jack',
        tenantId: 'acme',
        signInProvider: 'phone',
        secondFactor: { kind: 'totp', enrollmentId: 'e1' },
        issuedAtSec: nowSec,
        expiresAtSec: nowSec + 3_600,
        authTimeSec: nowSec - 10,
        claims,
      });
    });

    test('[I1111] a token is accepted only for its own tenant, or for none', async () => {
      const { tokens, nowSec } = open();
      for (const tenant of ['acme', 'other', undefined]) {
        const token = await tokens.sign({ ...claimsAt(nowSec), firebase: { tenant } });
        for (const name of ['demo/acme', 'demo/other', 'demo']) {
          const isOwn = name === (tenant === undefined ? 'demo' : `demo/${tenant}`);
          const outcome = tokens.verify(token, scopeOfName(name)).then(
            () => 'accepted',
            (error: unknown) => String(error),
          );
          expect(await outcome).toMatch(isOwn ? /^accepted$/ : /TENANT_ID_MISMATCH/);
        }
      }
    });

    test('[I98][I101] a token without details of the sign-in has neither tenant nor second factor', async () => {
      const { tokens, nowSec } = open();
      const token = await tokens.sign({ ...claimsAt(nowSec), sub: undefined, firebase: 'odd' });
      expect(await tokens.verify(token, projectScope('demo'))).toMatchObject({
        uid: 'jack',
        tenantId: undefined,
        signInProvider: 'custom',
        secondFactor: undefined,
      });
    });

    test('[I98][I101] a token preserves arbitrary claims', async () => {
      const { tokens, nowSec } = open();
      await fc.assert(
        fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), async (extra) => {
          const claims = { ...(JSON.parse(JSON.stringify(extra)) as Claims), ...claimsAt(nowSec) };
          expect((await tokens.verify(await tokens.sign(claims), projectScope('demo'))).claims).toEqual(
            claims,
          );
        }),
        { numRuns: 30 },
      );
    });

    test('[I100] a token gives the same result each time, and for several callers at the same time', async () => {
      const { tokens, nowSec } = open();
      const token = await tokens.sign(claimsAt(nowSec));
      const first = await tokens.verify(token, projectScope('demo'));
      for (const again of await Promise.all([1, 2, 3].map(() => tokens.verify(token, projectScope('demo')))))
        expect(again).toEqual(first);
    });

    test.each<[string, (token: string) => string]>([
      ['nothing', () => ''],
      ['a word', () => 'owner'],
      ['empty parts', () => '..'],
      ['two parts', (token) => token.split('.').slice(0, 2).join('.')],
      ['four parts', (token) => `${token}.`],
      ['a space before it', (token) => ` ${token}`],
      ['a character after it', (token) => `${token}x`],
      ['parts that are not base64url', (token) => token.replace(/^./, '!')],
      ['parts that are not JSON', () => 'YWJj.YWJj.YWJj'],
      ['a header that is not UTF-8', (token) => token.replace(/^[^.]+/, '_-8')],
      [
        'a header that is a list',
        (token) => token.replace(/^[^.]+/, Buffer.from('[]').toString('base64url')),
      ],
      ['no algorithm', (token) => token.replace(/^[^.]+/, encodeClaims({}))],
      ['an unknown algorithm', (token) => token.replace(/^[^.]+/, encodeClaims({ alg: 'HS256' }))],
      ['claims of a header', (token) => `${token.split('.')[0]}.${token.split('.')[0]}.`],
    ])('[I97][I101] text with %s is rejected', async (_what, change) => {
      const { tokens, nowSec } = open();
      const token = await tokens.sign(claimsAt(nowSec));
      await tokens.verify(token, projectScope('demo'));
      await expect(tokens.verify(change(token), projectScope('demo'))).rejects.toEqual(INVALID);
    });

    test.each<[string, Claims]>([
      ['no user', { sub: undefined, user_id: undefined }],
      ['an empty user', { sub: '', user_id: '' }],
      ['a user that is a number', { sub: 7, user_id: 7 }],
      ['a user that is too long', { sub: 'x'.repeat(MAX_UID_LENGTH + 1) }],
      ['too many characters', { name: 'x'.repeat(MAX_TOKEN_LENGTH) }],
    ])('[I97][I101] a token with %s is rejected', async (_what, change) => {
      const { tokens, nowSec } = open();
      const token = await tokens.sign({ ...claimsAt(nowSec), ...change });
      await expect(tokens.verify(token, projectScope('demo'))).rejects.toEqual(INVALID);
    });

    test('[I97][I101] a token with claims that are nested too deep is rejected', async () => {
      const { tokens, nowSec } = open();
      const deep: Claims = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`);
      const token = await tokens.sign({ ...claimsAt(nowSec), deep });
      await expect(tokens.verify(token, projectScope('demo'))).rejects.toEqual(INVALID);
    });

    test('[I97][I101] a token of another service is rejected, and so are its claims without a signature', async () => {
      const { tokens, nowSec, signElsewhere } = open();
      const foreign = await signElsewhere(claimsAt(nowSec));
      await expect(tokens.verify(foreign, projectScope('demo'))).rejects.toEqual(INVALID);
      const unsigned = `${encodeJwt({ alg: 'RS256', typ: 'JWT' }, claimsAt(nowSec))}.`;
      await expect(tokens.verify(unsigned, projectScope('demo'))).rejects.toEqual(INVALID);
    });

    test('[I97][I101] arbitrary text is rejected', async () => {
      const { tokens } = open();
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.string(), threeParts), async (text) => {
          await expect(tokens.verify(text, projectScope('demo'))).rejects.toEqual(INVALID);
        }),
      );
    });
  });
}

/** Generates text that looks like a token. */
const threeParts = fc
  .array(fc.oneof(fc.base64String(), fc.jsonValue().map(encodeJson)), { minLength: 2, maxLength: 4 })
  .map((parts) => parts.join('.'));

function encodeJson(json: unknown): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

/** Returns the claims of an ID token of the project `demo`, as Hearth issues it. */
function claimsAt(nowSec: number): Claims {
  return {
    iss: 'https://securetoken.google.com/demo',
    aud: 'demo',
    sub: 'jack',
    user_id: 'jack',
    auth_time: nowSec - 10,
    iat: nowSec,
    exp: nowSec + 3_600,
  };
}
