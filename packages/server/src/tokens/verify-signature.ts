import type { KeyObject } from 'node:crypto';
import { compactVerify, errors } from 'jose';
import { type Claims, parseClaims } from './claims.ts';

/** The one algorithm there is. Checked before a key is looked for. */
export const ALGORITHM = 'RS256';

/** The key of a token, by the id that its header names; `undefined` when there is none. */
export type FindKey = (keyId: string | undefined) => KeyObject | undefined;

/**
 * The claims of a token that a known key has signed; `undefined` when it is malformed, names another algorithm or an
 * unknown key, or the signature is not that key's. Keys come from `findKey` alone, never from the token.
 */
export async function verifySignature(token: string, findKey: FindKey): Promise<Claims | undefined> {
  try {
    const { payload } = await compactVerify(
      token,
      ({ kid }) => {
        const key = findKey(typeof kid === 'string' ? kid : undefined);
        if (key === undefined) throw new errors.JWSSignatureVerificationFailed('unknown key');
        return key;
      },
      { algorithms: [ALGORITHM] },
    );
    return parseClaims(payload);
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
