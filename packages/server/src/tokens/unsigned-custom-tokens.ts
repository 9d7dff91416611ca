import { type Claims, parseClaims } from './claims.ts';
import {
  CUSTOM_TOKEN_AUDIENCE,
  type CustomTokenVerifier,
  invalidCustomToken,
  mustBeCustomTokenText,
  parseCustomToken,
} from './custom-token.ts';
import { parseJwt } from './jwt-text.ts';
import { TokenProblem } from './token-problem.ts';

/**
 * Custom tokens as the official emulators take them: JWTs whose signature nobody looks at, and bare JSON, of any project
 * and any age. Development mode only: anybody can make them.
 */
export const unsignedCustomTokens: CustomTokenVerifier = {
  async verify(token, { tenantId }) {
    mustBeCustomTokenText(token);
    const claims = token.startsWith('{') ? parseBareJson(token) : parseToken(token, tenantId);
    return parseCustomToken(textOf(claims['uid']) ?? textOf(claims['user_id']), claims['claims']);
  },
};

function parseBareJson(token: string): Claims {
  try {
    return parseClaims(token);
  } catch (cause) {
    throw invalidCustomToken(
      '((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))',
      cause,
    );
  }
}

function parseToken(token: string, tenantId: string | undefined): Claims {
  const claims = parseOrRefuse(token);
  if (tenantId !== undefined && claims['tenant_id'] !== tenantId)
    throw new TokenProblem('TENANT_ID_MISMATCH');
  if (claims['aud'] !== CUSTOM_TOKEN_AUDIENCE)
    throw invalidCustomToken(
      `((Invalid aud (audience): ${String(claims['aud'])} Note: Firebase ID Tokens / third-party tokens cannot be used with signInWithCustomToken.))`,
    );
  return claims;
}

function parseOrRefuse(token: string): Claims {
  try {
    return parseJwt(token).claims;
  } catch (cause) {
    throw invalidCustomToken('Invalid assertion format', cause);
  }
}

/** Tests may number their users. */
function textOf(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : (value ?? undefined);
}
