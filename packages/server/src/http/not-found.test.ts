import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createLogger } from '../platform/logger.ts';
import { malformedPolicy } from './not-found.ts';

test.each([
  ['/api/%zz', { code: 'request/malformed' }],
  ['/%zz.json', {}],
])(
  '[H6][H400] the malformed URL %s is rejected, with the code of the error if its area shows codes',
  (url, expected) => {
    const logger = createLogger('silent', { write: () => undefined });
    const policy = malformedPolicy((request) => request.url?.startsWith('/api/') === true, logger);
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'GET', url });
    const response = new ServerResponse(request);
    const pieces: string[] = [];
    response.end = (body: unknown) => {
      pieces.push(String(body));
      return response;
    };
    expect(policy.owns(request)).toBe(true);
    policy.answerAlways?.(request, response);
    expect(response.statusCode).toBe(400);
    expect(JSON.parse(pieces.join(''))).toEqual({ error: expect.any(String), ...expected });
  },
);
