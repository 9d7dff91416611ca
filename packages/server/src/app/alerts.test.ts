import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { signatureOf } from '../auth/alerts/alert-webhook.ts';
import { smtpTestBed } from '../mail/smtp-test-bed.fixture.ts';
import { parseSmtpAddress } from '../platform/network-address.ts';
import { openShop } from './members.fixture.ts';

const ALERTS = '/api/projects/shop/alerts';
/** Alerts are evaluated every 10 seconds. */
const LONG = { timeout: 120_000 };

/** Starts a server that records what is posted to it. */
async function openReceiver() {
  const received: { readonly signature: string; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      received.push({ signature: String(request.headers['hearth-signature']), body });
      response.end();
    });
  });
  const listening = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

test('[H890][H891][H892][H893][H894] an alert is mailed to the owners, posted to the webhook and audited', async () => {
  const mailServer = await smtpTestBed();
  const receiver = await openReceiver();
  const { serving, apiKey, owner, make } = await openShop({
    smtpUrl: parseSmtpAddress(`smtp://127.0.0.1:${mailServer.port}`, 'x'),
    mailFrom: 'noreply@host.example',
    allowPrivateHooks: true,
  });
  const editor = await make('editor');
  const settings = {
    thresholds: { failedSignIns: 3, connections: 5 },
    mailsOwners: true,
    webhook: receiver.url,
  };
  const put = (token: string, body: unknown) =>
    serving.ask(ALERTS, { token, method: 'PUT', body: body as object });
  expect((await put(editor.memberToken, settings)).status).toBe(403);
  expect((await put(owner.memberToken, { ...settings, webhook: 'nowhere' })).status).toBe(400);
  const { json } = await put(owner.memberToken, settings);
  const secret = Buffer.from(String(json['secret']));
  expect(json).toMatchObject({ settings, alerts: [{ kind: 'connections' }, { kind: 'failedSignIns' }] });
  expect((await put(owner.memberToken, settings)).json['secret']).toBeNull();

  // The server counts rejected sign-ins from its first evaluation on.
  const readValue = async (): Promise<unknown> => {
    const { json: state } = await serving.ask(ALERTS, { token: editor.memberToken });
    return Object([state['alerts']].flat()[1]).value;
  };
  await vi.waitFor(async () => expect(await readValue()).toBe(0), LONG);
  for (let attempt = 0; attempt < 3; attempt++)
    await serving.ask(`/v1/accounts:signInWithPassword?key=${apiKey}`, {
      body: { email: editor.email, password: `wrong-${attempt}` },
    });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), LONG);
  const [{ signature, body } = { signature: '', body: '' }] = receiver.received;
  expect(JSON.parse(body)).toMatchObject({
    project: 'shop',
    alert: 'failedSignIns',
    state: 'raised',
    threshold: 3,
  });
  expect(signature).toBe(signatureOf(secret, Number(/^t=(\d+)/.exec(signature)?.[1]), body));
  const alertMails = () => mailServer.received.filter(({ raw }) => raw.includes('Alert of shop'));
  await vi.waitFor(() => expect(alertMails()).toHaveLength(1), LONG);
  expect(alertMails()[0]?.to).toEqual([owner.email]);
  const { json: state } = await serving.ask(ALERTS, { token: editor.memberToken });
  expect(state['alerts']).toMatchObject([
    { isRaised: false },
    { isRaised: true, sinceMs: expect.any(Number) },
  ]);
  await vi.waitFor(async () => {
    const { json: audit } = await serving.ask('/api/projects/shop/audit', { token: owner.memberToken });
    expect(JSON.stringify(audit)).toContain('alert_raised');
    expect(JSON.stringify(audit)).toContain('alerts_changed');
  }, LONG);
}, 120_000);
