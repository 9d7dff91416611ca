import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Headers } from './answer.ts';

/** What a request says of hashes: the one a node must have for the write, and whether the client wants to know it. */
export interface Condition {
  /** Hash of `if-match`, `''` for an absent node; `null` when the write is unconditional. */
  readonly expectedHash: string | null;
  readonly wantsEtag: boolean;
}

/** What clients call the hash of nothing. */
export const NULL_ETAG = 'null_etag';

/** Reads `if-match` and `X-Firebase-ETag`. */
export function parseCondition(headers: IncomingHttpHeaders): Condition {
  const match = headers['if-match'];
  return {
    expectedHash: match === undefined ? null : parseEtag(match),
    wantsEtag: headers['x-firebase-etag'] === 'true',
  };
}

/** The header that tells a hash; none for a hash that was not asked for. */
export function etagHeaders(hash: string | null): Headers {
  return hash === null ? {} : { etag: hash === '' ? NULL_ETAG : hash };
}

/** Refuses a condition where it has no meaning: to ignore it would overwrite what the client wants to keep. */
export function refuseExpectedHash({ expectedHash }: Condition, method: string): void {
  if (expectedHash !== null) throw new Refusal('http/parameter', `if-match is not supported for ${method}.`);
}

/** Refuses to tell a hash where there is none to tell. */
export function refuseEtag({ wantsEtag }: Condition, where: string): void {
  if (wantsEtag) throw new Refusal('http/parameter', `X-Firebase-ETag is not supported ${where}.`);
}

/** Clients send a tag as it came, or in quotes as other servers want it. */
function parseEtag(text: string): string {
  const etag = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (etag === '')
    throw new Refusal('http/parameter', 'if-match must be an ETag; that of nothing is null_etag.');
  return etag === NULL_ETAG ? '' : etag;
}
