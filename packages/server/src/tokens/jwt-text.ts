import { type Claims, parseClaims } from './claims.ts';

/** The three parts of a token, none of them verified. */
export interface JwtText {
  readonly header: Claims;
  readonly claims: Claims;
  /** Base64url; empty in unsigned tokens. */
  readonly signature: string;
}

const SEGMENT = /^[A-Za-z0-9_-]+$/;
const SIGNATURE = /^[A-Za-z0-9_-]*$/;

/** What is signed: header and claims, with a dot between. */
export function encodeJwt(header: Claims, claims: Claims): string {
  return `${encodeClaims(header)}.${encodeClaims(claims)}`;
}

/** Throws a `SyntaxError` on anything that is not three parts of which two are JSON objects. */
export function parseJwt(text: string): JwtText {
  const [header = '', claims = '', signature, ...others] = text.split('.');
  if (signature === undefined || others.length > 0 || !SIGNATURE.test(signature))
    throw new SyntaxError('A token has three parts.');
  return { header: parseSegment(header), claims: parseSegment(claims), signature };
}

/** One of the first two parts of a token. */
export function encodeClaims(json: Claims): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

function parseSegment(segment: string): Claims {
  if (!SEGMENT.test(segment)) throw new SyntaxError('A part of the token is not base64url.');
  return parseClaims(Buffer.from(segment, 'base64url'));
}
