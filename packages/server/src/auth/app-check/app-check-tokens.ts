import { type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { RecentMap } from '../../platform/recent-map.ts';
import { tokenIssuer } from '../tokens/id-token.ts';
import { ALGORITHM, type Claims, encodeJwt, type JwtText, parseJwt } from '../tokens/jwt.ts';
import type { AppCheckKeys } from '../tokens/services.ts';
import { LIMITED_USE_SEC } from './app-check-settings.ts';

/** An accepted App Check token. */
export interface AppCheckToken {
  readonly appId: string;
  /** Unique among all tokens. */
  readonly tokenId: string;
  readonly expiresAtMs: number;
  /** Whether the token is for one request. */
  readonly isLimitedUse: boolean;
}

/** The project for which a token is issued. */
export interface AppCheckProject {
  readonly id: string;
  readonly number: string;
}

/** Longest App Check token that is accepted, in UTF-16 code units. */
const MAX_APP_CHECK_TOKEN_LENGTH = 4_096;
/** Maximum number of verified tokens in the cache. */
const MAX_RECENT_APP_CHECK_TOKENS = 4_096;
const TOKEN_ID_BYTES = 16;

/** Runs in the thread pool: signing takes a fraction of a millisecond, which would block other requests. */
const signBytes = promisify(sign);

interface Verified {
  readonly keyId: string;
  readonly claims: Claims;
}

export interface AppCheckTokensOptions {
  readonly keys: AppCheckKeys;
  readonly nowMs: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
}

/**
 * Issues and verifies App Check tokens (RS256), in the format of the official service. Their keys sign nothing else, and
 * issuer and audience differ from those of ID tokens, so that neither kind is accepted for the other.
 */
export class AppCheckTokens {
  readonly #options: AppCheckTokensOptions;
  readonly #recent = new RecentMap<Verified>(MAX_RECENT_APP_CHECK_TOKENS, MAX_APP_CHECK_TOKEN_LENGTH);

  constructor(options: AppCheckTokensOptions) {
    this.#options = options;
  }

  async issue(project: AppCheckProject, appId: string, lifetimeSec: number): Promise<string> {
    const { keys, nowMs, randomBytes } = this.#options;
    const { keyId, privateKey } = await keys.current();
    const nowSec = Math.floor(nowMs() / 1_000);
    const signed = encodeJwt(
      { alg: ALGORITHM, kid: keyId, typ: 'JWT' },
      {
        sub: appId,
        aud: [`projects/${project.number}`, `projects/${project.id}`],
        iss: issuerOf(project),
        iat: nowSec,
        exp: nowSec + lifetimeSec,
        jti: Buffer.from(randomBytes(TOKEN_ID_BYTES)).toString('hex'),
      },
    );
    const signature = await signBytes('sha256', Buffer.from(signed), privateKey);
    return `${signed}.${signature.toString('base64url')}`;
  }

  /**
   * Returns the token if this server issued it for the project and it has not expired. Takes about 50 µs for a token that
   * is not in the cache, so that the database can call it between two requests.
   */
  find(text: string, project: AppCheckProject): AppCheckToken | undefined {
    const { keys, nowMs } = this.#options;
    const recent = this.#recent.find(text);
    const verified = recent ?? findSigned(text, keys.find);
    if (verified === undefined || keys.find(verified.keyId) === undefined) return undefined;
    if (recent === undefined) this.#recent.write(text, verified);
    const { sub, aud, iss, iat, exp, jti } = verified.claims;
    if (typeof sub !== 'string' || typeof jti !== 'string' || typeof exp !== 'number') return undefined;
    if (iss !== issuerOf(project) || !Array.isArray(aud) || !aud.includes(`projects/${project.id}`))
      return undefined;
    const expiresAtMs = exp * 1_000;
    if (expiresAtMs <= nowMs()) return undefined;
    const isLimitedUse = typeof iat === 'number' && exp - iat <= LIMITED_USE_SEC;
    return { appId: sub, tokenId: jti, expiresAtMs, isLimitedUse };
  }
}

function issuerOf({ number }: AppCheckProject): string {
  return tokenIssuer('appCheck', number);
}

/** Returns the claims of a token that one of the keys signed. The algorithm is checked before a key is looked up. */
function findSigned(text: string, findKey: (keyId: string) => KeyObject | undefined): Verified | undefined {
  if (text.length > MAX_APP_CHECK_TOKEN_LENGTH) return undefined;
  const parsed = tryParseJwt(text);
  const keyId = parsed?.header['kid'];
  if (parsed?.header['alg'] !== ALGORITHM || typeof keyId !== 'string') return undefined;
  const key = findKey(keyId);
  if (key === undefined) return undefined;
  const signed = Buffer.from(text.slice(0, text.lastIndexOf('.')));
  const isSigned = verify('sha256', signed, key, Buffer.from(parsed.signature, 'base64url'));
  return isSigned ? { keyId, claims: parsed.claims } : undefined;
}

function tryParseJwt(text: string): JwtText | undefined {
  try {
    return parseJwt(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
