import { sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import { secretBox } from '../../platform/secret-box.ts';
import type { SecretKey } from '../../platform/secret-key.ts';
import type { RecordStore } from '../../records/store.ts';
import type { ServiceAccounts } from '../projects/service-accounts.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { signedAppCheckAssertions } from './app-check-assertion.ts';
import { signedCustomTokens } from './custom-token.ts';
import { findVerifiedToken, requireScope, tokenIssuer, type VerifiedToken } from './id-token.ts';
import { ALGORITHM, type Claims, encodeJwt, TokenProblem, verifySignature } from './jwt.ts';
import type { KeyRing } from './key-ring.ts';
import { MAX_TOKEN_LENGTH, type TokenServices, type TokenSigner, type TokenVerifier } from './services.ts';
import { type GenerateKeyPair, KeyRotation, SigningKeys } from './signing-keys.ts';

/** Maximum number of seconds by which clocks may differ. */
const SKEW_SEC = 60;

/** Maximum number of verified tokens in the cache: at most 16 MB of text, and usually 4 MB. */
const MAX_RECENT_TOKENS = 4_096;
const MAX_RECENT_LENGTH = 4_096;

/** Runs in the thread pool: signing takes a fraction of a millisecond, which would block other requests. */
const signBytes = promisify(sign);

interface Accepted {
  readonly keyId: string;
  readonly token: VerifiedToken;
}

/**
 * Signs and verifies tokens of one use with the keys of that use (RS256). Tokens are bound to a project by
 * issuer and audience.
 */
export class SignedTokens implements TokenSigner, TokenVerifier {
  readonly #keys: KeyRing;
  readonly #nowMs: () => number;
  readonly #recent = new RecentMap<Accepted>(MAX_RECENT_TOKENS, MAX_RECENT_LENGTH);

  constructor(keys: KeyRing, nowMs: () => number) {
    this.#keys = keys;
    this.#nowMs = nowMs;
  }

  async sign(claims: Claims): Promise<string> {
    const { keyId, privateKey } = this.#keys.current();
    const signed = encodeJwt({ alg: ALGORITHM, kid: keyId, typ: 'JWT' }, claims);
    const signature = await signBytes('sha256', Buffer.from(signed), privateKey);
    return `${signed}.${signature.toString('base64url')}`;
  }

  async verify(token: string, scope: AccountScope): Promise<VerifiedToken> {
    return requireScope(await this.verifyInProject(token, scope.projectId), scope);
  }

  async verifyInProject(token: string, projectId: string): Promise<VerifiedToken> {
    const accepted = this.#findRecent(token) ?? (await this.#verifySigned(token));
    this.#requirePurpose(accepted.claims, projectId);
    return this.#requireTimely(accepted);
  }

  /** Returns a token from the cache, if its key still exists. */
  #findRecent(token: string): VerifiedToken | undefined {
    const recent = this.#recent.find(token);
    if (recent === undefined) return undefined;
    if (this.#keys.find(recent.keyId) !== undefined) return recent.token;
    this.#recent.remove(token);
    return undefined;
  }

  async #verifySigned(text: string): Promise<VerifiedToken> {
    if (text.length > MAX_TOKEN_LENGTH) throw new TokenProblem('INVALID_ID_TOKEN');
    let keyId = '';
    const claims = await verifySignature(text, (named) => {
      if (named === undefined) return undefined;
      keyId = named;
      return this.#keys.find(named);
    });
    const token = claims && hasValidTimes(claims) ? findVerifiedToken(claims) : undefined;
    if (token === undefined) throw new TokenProblem('INVALID_ID_TOKEN');
    this.#recent.write(text, { keyId, token });
    return token;
  }

  /**
   * Throws `INVALID_ID_TOKEN` if a token belongs to another project or use. The audience must be a text: a
   * list, even one with only the project, belongs to another kind of token.
   */
  #requirePurpose(claims: Claims, projectId: string): void {
    if (claims['aud'] !== projectId || claims['iss'] !== tokenIssuer(this.#keys.use, projectId))
      throw new TokenProblem('INVALID_ID_TOKEN');
  }

  #requireTimely(token: VerifiedToken): VerifiedToken {
    const nowSec = this.#nowMs() / 1_000;
    if (token.issuedAtSec > nowSec + SKEW_SEC || token.authTimeSec > nowSec + SKEW_SEC)
      throw new TokenProblem('INVALID_ID_TOKEN');
    if (token.expiresAtSec <= nowSec - SKEW_SEC) throw new TokenProblem('TOKEN_EXPIRED');
    return token;
  }
}

function hasValidTimes(claims: Claims): boolean {
  return ['iat', 'exp', 'auth_time'].every((name) => Number.isFinite(claims[name]));
}

export interface SignedTokensOptions {
  readonly recordStore: RecordStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly secretKey: SecretKey;
  readonly serviceAccounts: ServiceAccounts;
  readonly generateKeyPair: GenerateKeyPair;
}

/** The services for signed tokens, and the rotation of their signing keys, which ends when this is disposed of. */
export interface OpenTokens extends Disposable {
  readonly services: TokenServices;
}

/**
 * Opens the services for signed tokens with the signing keys of this server; creates the keys at the first start.
 * Rejects with a `StartFailure` if the secret key does not match.
 */
export async function openSignedTokens(options: SignedTokensOptions): Promise<OpenTokens> {
  const { recordStore, clock, logger, randomBytes, secretKey, serviceAccounts, generateKeyPair } = options;
  const { nowMs } = clock;
  const keys = await SigningKeys.open({
    recordStore,
    box: secretBox(secretKey, randomBytes),
    nowMs,
    randomBytes,
    generateKeyPair,
  });
  const [idToken, sessionCookie] = [keys.ring('idToken'), keys.ring('sessionCookie')];
  const appCheck = keys.ring('appCheck');
  const rotation = new KeyRotation(keys, logger);
  return {
    services: {
      idTokens: new SignedTokens(idToken, nowMs),
      sessionCookies: new SignedTokens(sessionCookie, nowMs),
      customTokens: signedCustomTokens(serviceAccounts.findWithSigners, nowMs),
      publishedKeys: { idToken, sessionCookie },
      appCheckKeys: { ...appCheck, current: async () => appCheck.current() },
      appCheckAssertions: signedAppCheckAssertions(serviceAccounts.findWithSigners, nowMs),
    },
    [Symbol.dispose]: () => rotation[Symbol.dispose](),
  };
}
