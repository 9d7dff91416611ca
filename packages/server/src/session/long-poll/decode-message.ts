import { Refusal } from '@hearth/core/fault/refusal.ts';

const BASE64 = /^[A-Za-z0-9_-]*\.{0,2}$/;

/**
 * The text of a message from URL-safe Base64 that is padded with dots. Half a surrogate pair, which some clients encode as
 * if it were a character, becomes U+FFFD, as it does in their WebSockets.
 */
export function decodeMessage(base64: string, maxUnits: number): string {
  if (!BASE64.test(base64)) throw new Refusal('request/malformed', 'A message is URL-safe Base64.');
  const text = Buffer.from(base64, 'base64url').toString();
  if (text.length > maxUnits) throw new Refusal('write/too-big');
  return text;
}
