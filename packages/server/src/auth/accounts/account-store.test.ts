import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { INSTALLATION } from '../../records/store.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { projectScope } from '../tenants/scope.ts';
import type { Account } from './account.ts';
import { accountRecords, findAccount, saveAccount } from './account-store.ts';

test('[I603] disabling a project takes effect before the response to the change', async () => {
  const client = await AuthClient.open();
  const { recordStore, projects } = client.services;
  expect(projects.find('demo')?.settings.isDisabled).toBe(false);
  await projects.change('demo', (settings) => ({ ...settings, isEmailPrivate: true }));
  const seen: unknown[] = [];
  const look = (): void => void seen.push(projects.find('demo')?.settings.isDisabled);
  recordStore.watch((records) => records === INSTALLATION && look());
  for (const isDisabled of [true, false])
    await projects.change('demo', (settings) => ({ ...settings, isDisabled }));
  expect(seen).toEqual([true, false]);
});

test('[I603] an API key selects its project from its creation until its removal', async () => {
  const client = await AuthClient.open();
  const { recordStore, projects } = client.services;
  const { apiKey: first } = await projects.create('shop', { ...settingsOf(client), isDisabled: true });
  const apiKey = await projects.addKey('shop');
  const seen: unknown[] = [];
  recordStore.watch((_records, [kind, key]) => {
    if (kind === 'apiKeys' && key === apiKey) seen.push(projects.findByKey(apiKey)?.id);
  });
  expect([projects.findByKey(first)?.id, projects.findByKey(apiKey)?.id]).toEqual(['shop', 'shop']);
  await projects.removeKey('shop', apiKey);
  // In development mode every key without a project selects the default project.
  expect(seen).toEqual(['demo']);
  expect([projects.findByKey(first)?.id, projects.findByKey(apiKey)?.id]).toEqual(['shop', 'demo']);
});

function settingsOf({ services }: AuthClient) {
  const project = services.projects.find('demo');
  if (project === undefined) throw new Error('no project');
  return project.settings;
}

test('[I604] a lookup shows each change of an account that was looked up before', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  const update = '/v1/projects/demo/accounts:update';
  for (const displayName of ['Ann', 'Bob', 'Eve']) {
    await client.lookup(idToken);
    await client.admin(update, { localId, displayName });
    expect(await client.lookup(idToken)).toMatchObject({ displayName });
    expect(await client.lookup(idToken)).toMatchObject({ displayName });
  }
  await client.admin(update, { localId, disableUser: true });
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('USER_DISABLED');
  await client.admin(update, { localId, disableUser: false });
  expect(await client.lookup(idToken)).toMatchObject({ localId });
  client.clock.ms += 5_000;
  await client.admin(update, { localId, validSince: Math.floor(client.clock.ms / 1000) });
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('TOKEN_EXPIRED');
  await client.admin('/v1/projects/demo/accounts:delete', { localId });
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('USER_NOT_FOUND');
});

test('[I604] a lookup returns no data of another account that was looked up earlier', async () => {
  const client = await AuthClient.open();
  const people = await Promise.all(['ann', 'bob', 'eve'].map((name) => client.signUp(`${name}@example.com`)));
  for (const round of [1, 2])
    for (const { idToken, localId, email } of people)
      expect({ round, ...(await client.lookup(idToken)) }).toMatchObject({ localId, email });
});

test('[I605] a session that ended, and one of a disabled account, cannot be refreshed', async () => {
  const client = await AuthClient.open();
  const { refreshToken, localId } = await client.signUp();
  expect((await client.refresh(refreshToken)).status).toBe(200);
  for (const [isDisabled, error] of [
    [true, 'USER_DISABLED'],
    [false, undefined],
  ] as const) {
    await changeAccount(client, localId, (account) => ({ ...account, isDisabled }));
    expect((await client.refresh(refreshToken)).error).toBe(error);
  }
  await client.admin('/v1/projects/demo/accounts:update', { localId, disableUser: true });
  expect((await client.refresh(refreshToken)).error).toBe('USER_DISABLED');
  await client.admin('/v1/projects/demo/accounts:update', { localId, disableUser: false });
  expect((await client.refresh(refreshToken)).error).toBe('TOKEN_EXPIRED');
});

async function changeAccount(
  { services }: AuthClient,
  uid: unknown,
  change: (account: Account) => Account,
): Promise<void> {
  await services.recordStore.change((transaction) => {
    const records = transaction.records(accountRecords(projectScope('demo')));
    const account = findAccount(records, String(uid));
    if (account !== undefined) saveAccount(records, account, change(account));
  });
}

test('[I605] a refresh that creates no new token returns the token that the client sent', async () => {
  const client = await AuthClient.open();
  const { refreshToken } = await client.signUp();
  for (const minutes of [0, 5, 0]) {
    client.clock.ms += minutes * 60_000;
    expect((await client.refresh(refreshToken)).json).toMatchObject({ refresh_token: refreshToken });
  }
});

test('[I606] a body that arrives in pieces or after its headers is read like one that arrives with them', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  const body = JSON.stringify({ idToken });
  const head = `POST /v1/accounts:lookup?key=k HTTP/1.1\r\nhost: localhost:9000\r\n`;
  const whole = `${head}content-length: ${body.length}\r\n\r\n${body}`;
  const chunked = `${head}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  for (const [text, ...cuts] of [
    [whole],
    [whole, whole.length - body.length],
    [whole, whole.length - body.length + 5],
    [whole, 20, whole.length - 1],
    [chunked],
    [chunked, chunked.length - 6],
  ] as const) {
    const pieces = [...cuts, text.length].map((end, index) => text.slice(cuts[index - 1] ?? 0, end));
    expect(await answersOf(client, pieces, 1)).toEqual([expect.stringContaining(`"${localId}"`)]);
  }
});

test('[I606] requests that arrive together on one connection are answered in order', async () => {
  const client = await AuthClient.open();
  const people = await Promise.all(['ann', 'bob', 'eve'].map((name) => client.signUp(`${name}@example.com`)));
  const requests = people.map(({ idToken }) => {
    const body = JSON.stringify({ idToken });
    return `POST /v1/accounts:lookup?key=k HTTP/1.1\r\nhost: localhost:9000\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  });
  expect(await answersOf(client, [requests.join('')], requests.length)).toEqual(
    people.map(({ localId }) => expect.stringContaining(`"${String(localId)}"`)),
  );
});

test('[I608] the connection continues with the next request after a body that is too long', async () => {
  const client = await AuthClient.open();
  const { idToken, localId } = await client.signUp();
  const request = (body: string): string =>
    `POST /v1/accounts:lookup?key=k HTTP/1.1\r\nhost: localhost:9000\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const tooLong = request('x'.repeat(300_000));
  expect(await answersOf(client, [tooLong, request(JSON.stringify({ idToken }))], 1)).toEqual([
    expect.stringContaining(`"${localId}"`),
  ]);
});

/** Sends the pieces one after the other, and returns the text of `count` successful responses. */
async function answersOf(
  client: AuthClient,
  pieces: readonly string[],
  count: number,
): Promise<readonly string[]> {
  const socket = connect(client.port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  const answered = new Promise<readonly string[]>((resolve, reject) => {
    socket.on('error', reject).on('data', (part) => {
      text += String(part);
      const bodies = text.split(/HTTP\/1\.1 200 OK\r\n/).slice(1);
      const whole = bodies.filter((answer) => answer.endsWith('}]}'));
      if (whole.length === count) resolve(whole);
    });
  });
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
  return answered;
}
