import { sign } from 'node:crypto';
import { promisify } from 'node:util';
import { RecentMap } from '../ops/recent-map.ts';
import type { Claims } from './claims.ts';
import { encodeJwt } from './jwt-text.ts';
import type { KeyRing } from './key-ring.ts';
import { MAX_TOKEN_LENGTH, type TokenSigner, type TokenVerifier } from './token-codec.ts';
import { TokenProblem } from './token-problem.ts';
import { tokenIssuer } from './token-use.ts';
import { findVerifiedToken, type VerifiedToken } from './verified-token.ts';
import { ALGORITHM, verifySignature } from './verify-signature.ts';

/** How far clocks may be apart. */
const SKEW_SEC = 60;

/** Tokens that are remembered: at most 16 MB of text, and usually 4. */
const MAX_RECENT_TOKENS = 4_096;
const MAX_RECENT_LENGTH = 4_096;

/** In the thread pool: signing takes a fraction of a millisecond, which requests would have to wait for. */
const signBytes = promisify(sign);

interface Accepted {
  readonly keyId: string;
  readonly token: VerifiedToken;
}

/** Tokens of one use, signed by the keys of that use (RS256) and bound to a project by issuer and audience. */
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

  async verify(token: string, projectId: string): Promise<VerifiedToken> {
    const accepted = this.#findRecent(token) ?? (await this.#verifyAnew(token));
    this.#mustBeFor(accepted.claims, projectId);
    return this.#mustBeTimely(accepted);
  }

  /** A token that was accepted before counts as long as its key does. */
  #findRecent(token: string): VerifiedToken | undefined {
    const recent = this.#recent.find(token);
    if (recent === undefined) return undefined;
    if (this.#keys.find(recent.keyId) !== undefined) return recent.token;
    this.#recent.remove(token);
    return undefined;
  }

  async #verifyAnew(text: string): Promise<VerifiedToken> {
    if (text.length > MAX_TOKEN_LENGTH) throw new TokenProblem('INVALID_ID_TOKEN');
    let keyId = '';
    const claims = await verifySignature(text, (named) => {
      if (named === undefined) return undefined;
      keyId = named;
      return this.#keys.find(named);
    });
    const token = claims && hasTimes(claims) ? findVerifiedToken(claims) : undefined;
    if (token === undefined) throw new TokenProblem('INVALID_ID_TOKEN');
    this.#recent.write(text, { keyId, token });
    return token;
  }

  /** An audience is one text: a list, even of the project alone, is that of some other kind of token. */
  #mustBeFor(claims: Claims, projectId: string): void {
    if (claims['aud'] !== projectId || claims['iss'] !== tokenIssuer(this.#keys.use, projectId))
      throw new TokenProblem('INVALID_ID_TOKEN');
  }

  #mustBeTimely(token: VerifiedToken): VerifiedToken {
    const nowSec = this.#nowMs() / 1_000;
    if (token.issuedAtSec > nowSec + SKEW_SEC || token.authTimeSec > nowSec + SKEW_SEC)
      throw new TokenProblem('INVALID_ID_TOKEN');
    if (token.expiresAtSec <= nowSec - SKEW_SEC) throw new TokenProblem('TOKEN_EXPIRED');
    return token;
  }
}

function hasTimes(claims: Claims): boolean {
  return ['iat', 'exp', 'auth_time'].every((name) => Number.isFinite(claims[name]));
}
