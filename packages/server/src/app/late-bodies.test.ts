import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeMember, makeProject } from './members.fixture.ts';
import { openServing, type Serving } from './serving.fixture.ts';

/**
 * Sends a request with an administrator's token, runs `beforeBody`, and then sends the body. The method is
 * `POST` unless `path` begins with another. Returns the status of the response.
 */
async function sendSlowly(
  { app }: Serving,
  path: string,
  token: string,
  body: string,
  beforeBody: () => Promise<unknown>,
): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1').setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  const write = (text: string): Promise<unknown> => new Promise((resolve) => socket.write(text, resolve));
  const nextResponse = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      socket.once('error', reject).on('data', (part) => {
        if (String(part).startsWith(text)) resolve(String(part).slice(9, 12));
      });
    });
  const head = [
    `${path.startsWith('/') ? 'POST ' : ''}${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${token}`,
    `content-length: ${body.length}`,
    // The response to this header shows that the server waits for the body.
    'expect: 100-continue',
  ];
  const continueResponse = nextResponse('HTTP/1.1 100');
  await write(`${head.join('\r\n')}\r\n\r\n`);
  await continueResponse;
  await beforeBody();
  const status = nextResponse('HTTP/1.1 ');
  await write(body);
  return status;
}

test('[I609] a member who is removed before the whole body arrives is rejected', async () => {
  const serving = await openServing();
  const apiKey = await makeProject(serving, 'shop');
  const editor = await makeMember(serving, 'shop', apiKey, 'editor');
  const accounts = '/v1/projects/shop/accounts';
  const body = (name: string): string => JSON.stringify({ email: `${name}@example.com` });
  const remove = () =>
    serving.ask(`/api/projects/shop/members/${editor.uid}`, { token: serving.token, method: 'DELETE' });
  const { memberToken } = editor;
  expect(await sendSlowly(serving, accounts, memberToken, body('in-time'), async () => undefined)).toBe(
    '200',
  );
  expect(await sendSlowly(serving, accounts, memberToken, body('late'), remove)).toBe('403');
});

test.each([
  ['over the admin API', '/api/databases/shop/changes', '{"changes":{"late":1}}'],
  ['over REST', 'PUT /late.json?ns=shop', '1'],
  ['over REST, in parts', 'PUT /late.json?ns=shop', JSON.stringify('x'.repeat(2_000_000))],
  ['by an import', 'PATCH /api/databases/shop/imports/import-1?offset=0&final=true', '{"late":1}'],
])(
  '[H415][H416] a member who is removed before the body arrives changes nothing %s',
  async (_name, path, body) => {
    const serving = await openServing();
    const apiKey = await makeProject(serving, 'shop');
    const { memberToken, uid } = await makeMember(serving, 'shop', apiKey, 'editor');
    const { token } = serving;
    const made = await serving.ask('/api/databases/shop/imports/import-1', {
      token,
      method: 'PUT',
      body: { path: '/', mode: 'merge' },
    });
    expect(made.status).toBe(200);
    const remove = () => serving.ask(`/api/projects/shop/members/${uid}`, { token, method: 'DELETE' });
    expect(await sendSlowly(serving, path, memberToken, body, remove)).toBe('403');
    expect((await serving.ask('/late.json?ns=shop', { token })).text).toBe('null');
  },
);

test.each([
  ['without impersonation', ''],
  ['with impersonation', '&auth_variable_override={%22uid%22:%22ann%22}'],
])('[H416] a member who is demoted before the body arrives writes nothing %s', async (_name, more) => {
  const serving = await openServing();
  const apiKey = await makeProject(serving, 'shop');
  const { memberToken, uid } = await makeMember(serving, 'shop', apiKey, 'editor');
  const { token } = serving;
  const rules = { rules: { '.write': 'auth.uid === "ann"' } };
  await serving.ask('/.settings/rules.json?ns=shop', { token, method: 'PUT', body: rules });
  const demote = () =>
    serving.ask(`/api/projects/shop/members/${uid}`, { token, method: 'PATCH', body: { role: 'viewer' } });
  const status = await sendSlowly(serving, `PUT /late.json?ns=shop${more}`, memberToken, '1', demote);
  // If the server checked the credential only after the demotion, the status would be 401, because it would deny the
  // write of a viewer as rules do.
  expect(['401', '403']).toContain(status);
  expect((await serving.ask('/late.json?ns=shop', { token })).text).toBe('null');
});

test('[H417] a server that stops closes each connection after the last response on it, even if the connection is kept alive', async () => {
  const serving = await openServing();
  await makeProject(serving, 'shop');
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing = serving.close();
  };
  expect(await sendSlowly(serving, 'PUT /a.json?ns=shop', serving.token, '1', close)).toBe('200');
  await closing;
});
