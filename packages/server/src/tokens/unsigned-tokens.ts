import { RecentMap } from '../ops/recent-map.ts';
import { encodeClaims, type JwtText, parseJwt } from './jwt-text.ts';
import { MAX_TOKEN_LENGTH, type TokenSigner, type TokenVerifier } from './token-codec.ts';
import { TokenProblem } from './token-problem.ts';
import { findVerifiedToken, type VerifiedToken } from './verified-token.ts';

const HEADER = encodeClaims({ alg: 'none', typ: 'JWT' });

/** Verified tokens that are remembered, which spares whoever asks often the reading of them. */
const recent = new RecentMap<VerifiedToken>(4_096, 4_096);

/**
 * Tokens without signature, as the official emulators issue and accept them: of any project and any age, because tests
 * date theirs as they like. Development mode only: anybody can make them.
 */
export const unsignedTokens: TokenSigner & TokenVerifier = {
  async sign(claims) {
    return `${HEADER}.${encodeClaims(claims)}.`;
  },
  async verify(token) {
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
