import { createHttpSend, type HttpSend } from '../platform/network/http-send.ts';
import type { AddressCheck } from '../platform/network/public-address.ts';

const TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 65_536;
const FORBIDDEN =
  'The SMS service is not at a public address. The operator can allow other addresses with --allow-private-sms.';

/**
 * Returns a function that sends requests to SMS services at the addresses that `mayReach` allows; `undefined` allows
 * all addresses.
 */
export function createSmsSend(mayReach: AddressCheck | undefined): HttpSend {
  return createHttpSend({
    mayReach,
    forbidden: FORBIDDEN,
    timeoutMs: TIMEOUT_MS,
    maxReplyBytes: MAX_REPLY_BYTES,
  });
}
