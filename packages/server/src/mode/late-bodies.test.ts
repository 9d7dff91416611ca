import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { makeMember, makeProject } from './members.fixture.ts';
import { openServing, type Serving } from './serving.fixture.ts';

/** Sends a request whose body ends after something else was done; returns the status of the answer. */
async function sendSlowly(
  { app }: Serving,
  path: string,
  token: string,
  body: string,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1').setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  const write = (text: string): Promise<unknown> => new Promise((resolve) => socket.write(text, resolve));
  const told = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      socket.once('error', reject).on('data', (part) => {
        if (String(part).startsWith(text)) resolve(String(part).slice(9, 12));
      });
    });
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${token}`,
    `content-length: ${body.length}`,
    // Its answer says that the server waits for the body.
    'expect: 100-continue',
  ];
  const isWaiting = told('HTTP/1.1 100');
  await write(`${head.join('\r\n')}\r\n\r\n`);
  await isWaiting;
  await meanwhile();
  const status = told('HTTP/1.1 ');
  await write(body);
  return status;
}

test('[I609] who was removed while the body came is refused', async () => {
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
