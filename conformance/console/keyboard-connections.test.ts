import { createServer } from 'node:http';
import { createUserWithEmailAndPassword } from 'firebase/auth';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../clients/own-certificate.ts';
import { openAuth, PASSWORD } from '../drivers/auth.ts';
import { buttonOf } from '../drivers/console/page.ts';
import { openSignInSection } from '../drivers/console/sign-in-section.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { listenOnLoopback } from '../drivers/test-bed.ts';

const testBed = openConsoleTestBed();

const open = (project: string, section: string) => openSignInSection(testBed, project, section);

test('[C793][C394] by keyboard, the messages of a day get an amount and prices', async () => {
  const { visitor, page, keys, save, config } = await open('spending', 'phone');
  await keys.reach(page.getByRole('switch', { name: 'Limit what a day costs' }));
  await keys.press('Space');
  await keys.fill(page.getByLabel('Amount per day'), '8');
  await keys.fill(page.getByLabel('Prices of countries'), 'DE 0.08');
  await page.getByText('Germany: 100').waitFor();
  await keys.fill(page.getByLabel('Messages per number and hour'), '3');
  await visitor.expectAccessible();
  await save();
  expect(await config()).toMatchObject({
    notification: {
      sendSms: {
        hearth: {
          spending: { perDay: 8, prices: { default: 0.1, DE: 0.08 } },
          limits: { perNumberAndHour: 3 },
        },
      },
    },
  });
});

test('[C794][C394] by keyboard, a function for text messages is set and tested', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { status: 'PERMISSION_DENIED', message: 'Not from here.' } }));
  });
  onTestFinished(() => void server.close());
  const url = await listenOnLoopback(server);
  const { visitor, page, keys, save, config } = await open('hooks', 'functions');
  await keys.fill(page.getByLabel('URL of the function before text messages'), `${url}/sms`);
  await keys.reach(page.getByRole('switch', { name: 'Send text messages if the function fails' }));
  await keys.press('Space');
  await save();
  expect(await config()).toMatchObject({
    blockingFunctions: { triggers: { beforeSendSms: { functionUri: `${url}/sms`, failOpen: true } } },
  });
  await keys.enter(page.getByRole('button', { name: 'Test: Before a text message' }));
  await page.getByText('The function answered and rejected the event').waitFor();
  await page.getByText('Not from here.').waitFor();
  await visitor.expectAccessible();
});

test('[C797][C394] by keyboard, the key for SAML is replaced in two steps', async () => {
  const list = '/v2/projects/saml-key/inboundSamlConfigs';
  await testBed.admin('POST', `${list}?inboundSamlConfigId=saml.work`, {
    enabled: true,
    idpConfig: {
      idpEntityId: 'https://id.example',
      ssoUrl: 'https://id.example/sso',
      idpCertificates: [{ x509Certificate: makeCertificate('localhost', 'rsa').cert }],
    },
    spConfig: { spEntityId: 'https://app.example' },
  });
  const certificates = async (): Promise<readonly unknown[]> => {
    const { spConfig } = Object(await testBed.admin('GET', `${list}/saml.work`));
    return spConfig.spCertificates.map((one: Readonly<Record<string, unknown>>) => one['x509Certificate']);
  };
  const [first] = await certificates();
  const { visitor, page, keys } = await open('saml-key', 'providers');
  const confirm = async (name: string) => {
    await keys.enter(page.getByRole('button', { name, exact: true }));
    const dialog = page.getByRole('dialog', { name });
    await dialog.waitFor();
    await visitor.expectAccessible();
    await keys.enter(buttonOf(dialog, name));
    await dialog.waitFor({ state: 'detached' });
  };
  await confirm('Create the next key');
  await page.getByText('Give the certificate of the next key to all SAML providers.').waitFor();
  const both = await certificates();
  expect(both).toEqual([first, expect.stringContaining('BEGIN CERTIFICATE')]);
  await confirm('Use the next key');
  await page.getByRole('button', { name: 'Create the next key' }).waitFor();
  expect(await certificates()).toEqual(both.slice(1));
});

test('[C798][C394] by keyboard, a domain is allowed, and users of others get no account', async () => {
  const { visitor, page, keys, save } = await open('demo', 'methods');
  await keys.fill(page.getByLabel('Address to try'), 'eve@evil.example');
  await page.getByText('The rules allow this account.').waitFor();
  await keys.fill(page.getByLabel('Allowed domains'), 'example.com');
  await page.getByText('Rejected: evil.example is not an allowed domain.').waitFor();
  await visitor.expectAccessible();
  await save();
  const auth = openAuth({ url: testBed.server.url });
  await expect(createUserWithEmailAndPassword(auth, 'eve@evil.example', PASSWORD)).rejects.toMatchObject({
    code: 'auth/admin-restricted-operation',
  });
  const { user } = await createUserWithEmailAndPassword(auth, 'ann@example.com', PASSWORD);
  expect(user.email).toBe('ann@example.com');
});
