import type { Headers } from './answer.ts';

const YEAR_SECONDS = 31_536_000;

/** What no page needs of a device. */
const PERMISSIONS = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'];

/**
 * Headers of the hosted pages. Scripts, connections and the targets of forms are of this origin, and no script stands in a
 * page itself; style elements carry the nonce, because the components of the pages make them. `more` are further directives.
 */
export function pageHeaders(styleNonce: string, more: readonly string[] = []): Headers {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...more,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': PERMISSIONS.map((name) => `${name}=()`).join(', '),
    'cache-control': 'no-store',
    'cross-origin-resource-policy': 'same-site',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex, nofollow',
  };
}

/** Headers of what pages load: the name of a file changes with its content, so a copy is good forever. */
export const ASSET_HEADERS: Headers = {
  'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Encoding',
};
