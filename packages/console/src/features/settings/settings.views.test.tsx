import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  BROKEN,
  BROKEN_TEXT,
  FORBIDDEN,
  FORBIDDEN_TEXT,
  json,
  PENDING,
  requestError,
} from '../../api/fake-server.fixture.ts';
import {
  click,
  expectAbsent,
  expectAccessible,
  expectShown,
  fill,
  type PagePart,
  testReadyViews,
  testViewStates,
} from '../../app/view-states.suite.ts';
import { openView } from '../../app/view-test-bed.fixture.tsx';
import project from '../../language/messages/en/project.json';
import shell from '../../language/messages/en/shell.json';
import texts from '../../language/messages/en/sign-in.json';
import {
  API_KEY,
  CHANGED_CONFIG,
  OUTCOMES,
  ROUTES,
  SERVICE_ACCOUNTS,
  SETTINGS_FIXTURES,
  SIZE,
} from './settings.fixtures.ts';

const SIGN_IN = ['heading', texts.title] as const;
const PROJECT = ['heading', fill(project.title, { project: 'demo' })] as const;

testViewStates({
  'sign-in methods': {
    fixture: SETTINGS_FIXTURES.methods,
    around: [SIGN_IN],
    shows: [
      ['heading', texts.methods.methods],
      ['switch', texts.setting.anonymous],
      texts.methods.about.privacy,
    ],
  },
  'authorized domains': {
    fixture: SETTINGS_FIXTURES.domains,
    around: [SIGN_IN],
    shows: ['app.example.com', '*.preview.example.com'],
    offers: [['button', texts.domains.add]],
  },
  'password policy': {
    fixture: SETTINGS_FIXTURES.passwords,
    around: [SIGN_IN],
    shows: [
      ['heading', texts.policy.lengths],
      ['spinbutton', texts.policy.minLength],
      ['switch', texts.policy.rejectsCommon],
    ],
  },
  'second factor': {
    fixture: SETTINGS_FIXTURES.secondFactor,
    around: [SIGN_IN],
    shows: [
      ['radiogroup', texts.factor.when],
      ['switch', texts.setting.factorProviders],
    ],
  },
  'mail server': {
    fixture: SETTINGS_FIXTURES.mail,
    around: [SIGN_IN],
    shows: [
      ['radiogroup', texts.smtp.title],
      ['textbox', texts.smtp.host],
      ['textbox', texts.setting.senderName],
    ],
    offers: [['button', texts.test.send]],
  },
  'queue of mails': {
    fixture: SETTINGS_FIXTURES.mailStatus,
    around: [['heading', texts.queue.title]],
    shows: [fill(texts.queue.waiting_other, { count: 2 }), '451 4.7.1 Try again later'],
  },
  'mails that failed': {
    fixture: SETTINGS_FIXTURES.deadMails,
    around: [['heading', texts.queue.title]],
    shows: [
      ['table', texts.queue.dead],
      ['cell', texts.mail.resetPassword],
      ['cell', 'gone@example.org'],
      '550 5.1.1 No such user',
    ],
  },
  'texts of mails': {
    fixture: SETTINGS_FIXTURES.templates,
    around: [SIGN_IN],
    shows: [['textbox', texts.templates.subject], '%LINK%', texts.templates.usual],
    offers: [['button', texts.test.send]],
  },
  'preview of a mail': {
    fixture: SETTINGS_FIXTURES.preview,
    around: [['heading', texts.preview.title]],
    shows: ['Verify your email for Garden', 'Garden Team <no-reply@example.com>', 'help@example.com'],
  },
  members: {
    fixture: SETTINGS_FIXTURES.members,
    around: [PROJECT],
    shows: [
      ['table', project.section.members],
      ['cell', 'mia@example.com'],
      ['cell', 'noor@example.com'],
      project.members.hasNoFactor,
    ],
    offers: [
      ['button', project.members.add],
      ['combobox', fill(project.members.roleOf, { name: 'noor@example.com' })],
      ['button', fill(project.members.removeOf, { name: 'noor@example.com' })],
    ],
  },
  'API keys': {
    fixture: SETTINGS_FIXTURES.keys,
    around: [PROJECT],
    isForEditors: true,
    shows: [
      ['table', project.section.keys],
      API_KEY,
      ['button', fill(project.keys.copyOf, { key: API_KEY })],
      ['button', project.keys.add],
    ],
  },
  'service accounts': {
    fixture: SETTINGS_FIXTURES.serviceAccounts,
    around: [PROJECT],
    isForEditors: true,
    shows: [
      ['table', project.section['service-accounts']],
      'admin@demo.example.com',
      '7f3a90c1',
      ['button', project.service.add],
    ],
  },
  databases: {
    fixture: SETTINGS_FIXTURES.databases,
    around: [PROJECT],
    shows: [
      ['table', project.section.databases],
      'demo-default-rtdb',
      ['link', project.databases.data],
      ['link', project.databases.rules],
    ],
    offers: [['button', project.databases.add]],
  },
  tenants: {
    fixture: SETTINGS_FIXTURES.tenants,
    around: [PROJECT],
    shows: [
      ['table', project.section.tenants],
      'acme-k3x9a2b7',
      `${project.tenants.method.password}, ${project.tenants.method['email-link']}`,
      project.tenants.disabled,
      ['link', fill(project.tenants.accountsOf, { name: 'Acme' })],
      ['searchbox', project.tenants.find],
    ],
    offers: [
      ['button', project.tenants.add],
      ['button', fill(project.tenants.changeOf, { name: 'Acme' })],
      ['button', fill(project.tenants.removeOf, { name: 'old' })],
    ],
  },
  'data to erase': {
    fixture: SETTINGS_FIXTURES.erase,
    around: [PROJECT],
    isForEditors: true,
    shows: [['button', `${project.erase.data}: demo-default-rtdb`], project.erase.about],
  },
});

testReadyViews({
  'project without members': {
    fixture: SETTINGS_FIXTURES.noMembers,
    shows: [['heading', project.members.none]],
    offers: [['button', project.members.add]],
  },
  'project without API keys': {
    fixture: SETTINGS_FIXTURES.noKeys,
    isForEditors: true,
    shows: [['heading', project.keys.none]],
  },
  'project without service accounts': {
    fixture: SETTINGS_FIXTURES.noServiceAccounts,
    isForEditors: true,
    shows: [['heading', project.service.none]],
  },
  'project without databases': {
    fixture: SETTINGS_FIXTURES.noDatabases,
    shows: [['heading', project.databases.none]],
    offers: [['button', project.databases.add]],
  },
  'project without tenants': {
    fixture: SETTINGS_FIXTURES.noTenants,
    shows: [['heading', project.tenants.none]],
    offers: [['button', project.tenants.add]],
  },
});

test.each([
  ['API keys', 'settings/keys', [['heading', project.ownersOnly.title]]],
  ['service accounts', 'settings/service-accounts', [['heading', project.ownersOnly.title]]],
  ['the buttons that erase data', 'settings/erase', [project.erase.ownersOnly]],
] as const)('[C444][C47] an editor does not see %s', async (_what, address, shows) => {
  await openView({ address, responses: SETTINGS_FIXTURES.erase.responses }, { role: 'editor' });
  await expectShown([PROJECT, ...shows]);
  await expectAccessible();
});

test.each([
  ['API keys', 'settings/keys', project.keys.developmentTitle],
  ['service accounts', 'settings/service-accounts', project.service.developmentTitle],
])('[C444] in development mode, the page says why %s are not needed', async (_what, address, title) => {
  await openView({ address, responses: {} }, { mode: 'development' });
  await expectShown([PROJECT, ['heading', title]]);
  await expectAccessible();
});

test('[C444][C47][C229] an editor can change settings, except those that only owners may change', async () => {
  await openView(SETTINGS_FIXTURES.methods, { role: 'editor' });
  await expectShown([texts.ownersOnly]);
  await expect
    .element(page.getByRole('switch', { name: texts.setting.anonymous, exact: true }))
    .toBeEnabled();
  await expect.element(page.getByRole('switch', { name: texts.setting.email, exact: true })).toBeDisabled();
});

test.each([
  ['pending', PENDING, project.databases.measuring, []],
  ['forbidden', FORBIDDEN, shell.failure.forbidden, []],
  ['not possible', BROKEN, project.databases.unmeasured, [['button', shell.retry]]],
] as const)(
  '[C444] the list reports that measuring a database is %s',
  async (_state, response, text, offers) => {
    const { responses } = SETTINGS_FIXTURES.databases;
    const server = await openView({
      ...SETTINGS_FIXTURES.databases,
      responses: { ...responses, [ROUTES.size]: response },
    });
    await expectShown([text, ...offers]);
    await expectAccessible();
    const RETRY: PagePart = ['button', shell.retry];
    if (offers.length === 0) {
      await expectAbsent([RETRY]);
      return;
    }
    server.respond(ROUTES.size, SIZE);
    await click(RETRY);
    await expectShown(['2 kB']);
  },
);

/** The response about a database before the first write. */
const UNUSED = requestError(404, 'http/not-found', 'The database does not exist.');

test('[C717] a database has no size before the first write', async () => {
  const { responses } = SETTINGS_FIXTURES.databases;
  await openView({ ...SETTINGS_FIXTURES.databases, responses: { ...responses, [ROUTES.size]: UNUSED } });
  await expectShown(['0 byte']);
});

describe('unsaved settings', () => {
  async function changeOne() {
    const server = await openView(SETTINGS_FIXTURES.methods);
    await click(['switch', texts.setting.anonymous]);
    await expectShown([['region', texts.changes.title], fill(texts.changes.count_one, { count: 1 })]);
    return server;
  }

  test.each([
    ['pending', PENDING, []],
    ['forbidden', FORBIDDEN, [shell.failure.forbidden, FORBIDDEN_TEXT]],
    ['not possible', BROKEN, [shell.failure.other, BROKEN_TEXT]],
  ] as const)('[C445][C220] if saving is %s, the changes stay', async (_why, response, shows) => {
    const server = await changeOne();
    server.respond(ROUTES.changeConfig, response);
    await click(['button', texts.changes.save]);
    await expectShown([fill(texts.changes.count_one, { count: 1 }), ...shows]);
    await expectAccessible();
  });

  test('[C444][C220] after a save, the changes are no longer listed', async () => {
    const server = await changeOne();
    server.respond(ROUTES.changeConfig, json(CHANGED_CONFIG));
    server.respond(ROUTES.config, json(CHANGED_CONFIG));
    await click(['button', texts.changes.save]);
    await expectAbsent([['region', texts.changes.title]]);
    await expectShown([texts.saved]);
  });
});

test.each([
  ['forbidden', FORBIDDEN, [shell.failure.forbidden, FORBIDDEN_TEXT]],
  ['not possible', BROKEN, [shell.failure.other, BROKEN_TEXT]],
  [
    'rejected by the mail server',
    json(OUTCOMES.refused),
    [texts.test.rejected, '535 5.7.8 Authentication failed'],
  ],
  ['accepted', json(OUTCOMES.accepted), [fill(texts.test.accepted, { to: 'mia@example.com' })]],
] as const)('[C445][C228] if a test email is %s, the page says so', async (_state, response, shows) => {
  const server = await openView(SETTINGS_FIXTURES.mail);
  server.respond(ROUTES.testMail, response);
  await click(['button', texts.test.send]);
  await expectShown(shows);
  await expectAccessible();
});

test.each([
  ['forbidden', FORBIDDEN, [shell.failure.forbidden, FORBIDDEN_TEXT]],
  ['not possible', BROKEN, [shell.failure.other, BROKEN_TEXT]],
] as const)(
  '[C445][C282] if adding a member is %s, the dialog stays and says so',
  async (_why, response, shows) => {
    const server = await openView(SETTINGS_FIXTURES.members);
    server.respond(ROUTES.addMember, response);
    await click(['button', project.members.add]);
    const dialog = page.getByRole('dialog', { name: project.members.add });
    const field = dialog.getByRole('textbox', { name: project.members.email });
    await field.fill('omar@example.com');
    await expectAccessible();
    await dialog.getByRole('button', { name: project.members.add }).click();
    await expectShown(shows);
    await expect.element(field).toHaveValue('omar@example.com');
    await expectAccessible();
  },
);

test('[C444][C376] after a member was added, the page says what the member must do next', async () => {
  await openView(SETTINGS_FIXTURES.members);
  await click(['button', project.members.add]);
  const dialog = page.getByRole('dialog', { name: project.members.add });
  await dialog.getByRole('textbox', { name: project.members.email }).fill('omar@example.com');
  await dialog.getByRole('button', { name: project.members.add }).click();
  await expectShown([project.members.nextPassword, ['button', project.members.sendMail]]);
  await expectAccessible();
});

test('[C481] an owner changes the roles of a service account, which is listed even without a key', async () => {
  const server = await openView(SETTINGS_FIXTURES.serviceAccounts);
  const [account] = SERVICE_ACCOUNTS;
  const without = json({ serviceAccounts: [{ ...account, roles: ['database.admin'], keys: [] }] });
  await click(['button', fill(project.service.rolesOf, { name: 'admin' })]);
  const dialog = page.getByRole('dialog', { name: fill(project.service.rolesOf, { name: 'admin' }) });
  await expect.element(dialog.getByRole('checkbox', { name: 'identity.viewer' })).toBeChecked();
  await expect.element(dialog.getByRole('checkbox', { name: 'database.admin' })).not.toBeChecked();
  await expectAccessible();
  await dialog.getByRole('checkbox', { name: 'database.admin' }).click();
  server.respond(ROUTES.serviceAccounts, without);
  await dialog.getByRole('button', { name: project.service.changeRoles }).click();
  await expectShown([fill(project.service.rolesChanged, { name: 'admin' }), 'database.admin']);
});
