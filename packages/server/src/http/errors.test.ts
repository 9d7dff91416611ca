import { RequestError } from '@hearth/core/error/request-error.ts';
import { expect, test } from 'vitest';
import { createMemoryServer } from '../app/memory-server.fixture.ts';
import { openLoopbackClient } from './loopback-client.fixture.ts';

test.each([
  ['a bug', new Error('a record is torn')],
  [
    'a failed transaction',
    new RequestError('internal/error', undefined, { cause: new Error('a record is torn') }),
  ],
])(
  '[I644] after %s, the log and the response have the same request ID, and the response does not describe the error',
  async (_name, fault) => {
    const brokenAudit = {
      notify: () => undefined,
      join: () => undefined,
      search: () => Promise.reject(fault),
    };
    const { server, serve, log } = await createMemoryServer({ audit: brokenAudit, auditReader: brokenAudit });
    serve();
    const client = await openLoopbackClient(server);
    const { status, headers, body } = await client.send({
      method: 'GET',
      url: '/api/audit',
      headers: { authorization: 'Bearer owner' },
    });
    expect([status, String(body)]).toEqual([500, expect.not.stringContaining('torn')]);
    const lines = log.map((line): unknown => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'A request failed unexpectedly',
        path: '/api/audit',
        requestId: headers['x-request-id'],
      }),
    );
  },
);
