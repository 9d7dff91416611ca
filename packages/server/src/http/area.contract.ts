import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AreaPolicy } from './area.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'get', ''];

/** Request targets as clients may send them, hostile ones included. */
const targets = fc.oneof(
  fc.webPath(),
  fc.string().map((text) => `/${text}`),
  fc.string(),
  fc.constantFrom(
    ...[
      '',
      '/',
      '//',
      '*',
      '/.',
      '/..',
      '/../api',
      '/%2e%2e/api',
      '/%',
      '/%zz',
      '/%ff',
      '/api%2fdata',
      '/API/',
      '/a?b#c',
    ],
    ...[
      'http://',
      'http://host',
      'http://[',
      'HTTP://host/.json',
      '//host/.json',
      '/\u0000',
      `/${'a/'.repeat(5_000)}`,
    ],
    ...['/.json?', '/.json?ns=%', '/console/../api', '/healthz/', '/.lp?x', '/__/auth/action?'],
  ),
);

/** Returns a request that consists of a head only. */
export function requestFor(method: string, url: string): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { method, url });
}

/** Declares the tests that every policy of an area must pass. */
export function areaPolicyContract(name: string, open: () => AreaPolicy): void {
  describe(`area policy contract: ${name}`, () => {
    test('[H528] whether a policy owns a request depends only on its head, whatever the head contains', () => {
      const policy = open();
      fc.assert(
        fc.property(targets, fc.constantFrom(...METHODS), (url, method) => {
          const request = requestFor(method, url);
          const owns = policy.owns(request);
          expect(owns).toBeTypeOf('boolean');
          expect(policy.owns(request)).toBe(owns);
          expect(policy.owns(requestFor(method, url))).toBe(owns);
          expect([request.method, request.url, request.listenerCount('data')]).toEqual([method, url, 0]);
        }),
      );
      expect(policy.owns(new IncomingMessage(new Socket()))).toBeTypeOf('boolean');
    });

    test('[H528] the errors of an area are neither cached nor interpreted as another type', () => {
      expect(open().headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
      expect(open().headers['cache-control']).toMatch(/^no-(cache|store)$/);
    });
  });
}
