import { RecentMap } from '../../platform/recent-map.ts';
import { unsignedAppCheckAssertions } from './app-check-assertion.ts';
import { unsignedCustomTokens } from './custom-token.ts';
import { findVerifiedToken, requireScope, type VerifiedToken } from './id-token.ts';
import { encodeClaims, type JwtText, parseJwt, TokenProblem } from './jwt.ts';
import type { PublishedKeys, SigningKey } from './key-ring.ts';
import {
  type AppCheckKeys,
  MAX_TOKEN_LENGTH,
  type TokenServices,
  type TokenSigner,
  type TokenVerifier,
} from './services.ts';
import { generateRsaKeyPair } from './signing-keys.ts';

const HEADER = encodeClaims({ alg: 'none', typ: 'JWT' });

/** Cache of verified tokens, so that repeated requests do not parse them again. */
const recent = new RecentMap<VerifiedToken>(4_096, 4_096);

/**
 * Issues and verifies unsigned tokens as the official emulators do: of any project and any age, because tests
 * choose their dates. Development mode only: every client can create them.
 */
export const unsignedTokens: TokenSigner & TokenVerifier = {
  async sign(claims) {
    return `${HEADER}.${encodeClaims(claims)}.`;
  },
  async verify(token, scope) {
    return requireScope(await unsignedTokens.verifyInProject(token, scope.projectId), scope);
  },
  async verifyInProject(token) {
    const known = recent.find(token);
    if (known !== undefined) return known;
    const { header, claims, signature } = parse(token);
    if (header['alg'] !== 'none' || signature !== '') throw new TokenProblem('INVALID_ID_TOKEN');
    const verified = findVerifiedToken(claims);
    if (verified === undefined) throw new TokenProblem('INVALID_ID_TOKEN');
    recent.write(token, verified);
    return verified;
  },
};

function parse(token: string): JwtText {
  if (token.length > MAX_TOKEN_LENGTH) throw new TokenProblem('INVALID_ID_TOKEN');
  try {
    return parseJwt(token);
  } catch (cause) {
    throw new TokenProblem('INVALID_ID_TOKEN', undefined, cause);
  }
}

const NO_KEYS: PublishedKeys = { published: () => [] };

/** Creates keys of App Check tokens that end with the process. The one key is generated when it is first needed. */
function createTemporaryKeys(): AppCheckKeys {
  const keyId = 'development';
  let generated: SigningKey | undefined;
  let generating: Promise<SigningKey> | undefined;
  const generate = async (): Promise<SigningKey> => {
    generated = { keyId, certificate: '', ...(await generateRsaKeyPair()) };
    return generated;
  };
  return {
    current() {
      generating ??= generate();
      return generating;
    },
    find: (named) => (named === keyId ? generated?.publicKey : undefined),
    published: () => (generated === undefined ? [] : [generated]),
  };
}

/**
 * Token services that work like the official emulators. Development mode only: every client can create such
 * tokens.
 */
export const unsignedTokenServices: TokenServices = {
  idTokens: unsignedTokens,
  sessionCookies: unsignedTokens,
  customTokens: unsignedCustomTokens,
  publishedKeys: { idToken: NO_KEYS, sessionCookie: NO_KEYS },
  appCheckKeys: createTemporaryKeys(),
  appCheckAssertions: unsignedAppCheckAssertions,
};
