import { expect, onTestFinished, test } from 'vitest';
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
  testReadyViews,
  testViewStates,
} from '../../app/view-states.suite.ts';
import { openView } from '../../app/view-test-bed.fixture.tsx';
import texts from '../../language/messages/en/accounts.json';
import auditTexts from '../../language/messages/en/audit.json';
import shell from '../../language/messages/en/shell.json';
import { ACCOUNT_FILE, ACCOUNT_FIXTURES, ALICE, BOB, COUNT, ROUTES } from './accounts.fixtures.ts';
import { select } from './bulk-actions.tsx';

testViewStates({
  'list of accounts': {
    fixture: ACCOUNT_FIXTURES.list,
    shows: [
      ['grid', texts.title],
      ['link', 'alice@example.com'],
      'Alice Martin',
      ['link', 'bob@example.org'],
      texts.state.disabled,
      ['link', texts.nameless],
    ],
    offers: [
      ['button', texts.create.title],
      ['checkbox', texts.selection.all],
      ['checkbox', fill(texts.selection.one, { name: 'bob@example.org' })],
    ],
  },
  'accounts of a tenant': {
    fixture: ACCOUNT_FIXTURES.ofTenant,
    shows: [
      ['combobox', texts.tenant.label],
      ['link', 'bob@example.org'],
    ],
    offers: [['button', texts.create.title]],
  },
  'found accounts': {
    fixture: ACCOUNT_FIXTURES.found,
    shows: [['link', 'bob@example.org'], fill(texts.status.found_one, { count: 1 })],
    offers: [['checkbox', texts.selection.all]],
  },
  'search through all accounts': {
    fixture: { ...ACCOUNT_FIXTURES.found, main: ROUTES.search },
    loading: ['progressbar', texts.search.running],
    shows: [['link', 'bob@example.org'], fill(texts.status.looked_other, { number: 3 })],
  },
  account: {
    fixture: ACCOUNT_FIXTURES.account,
    shows: [
      ['heading', 'alice@example.com'],
      ALICE.localId,
      ['textbox', texts.field.displayName],
      ['heading', texts.claims.title],
      ['heading', texts.providers.title],
      'Google',
      ['heading', texts.factors.title],
      ['heading', texts.passkeys.title],
      'Work phone',
    ],
    offers: [
      ['button', texts.bulk.disable.action],
      ['button', texts.bulk.delete.action],
      ['button', texts.save],
      ['button', texts.password.set],
      ['button', texts.password.link],
      ['button', texts.providers.remove],
    ],
  },
  'sessions of an account': {
    fixture: ACCOUNT_FIXTURES.sessions,
    around: [['heading', 'alice@example.com']],
    shows: ['Firefox 140 · Linux', '203.0.113.0/24', texts.sessions.unknown],
    offers: [
      ['button', texts.sessions.end],
      ['button', texts.sessions.endAll],
    ],
  },
  'sign-ins to an account': {
    fixture: ACCOUNT_FIXTURES.signIns,
    around: [['heading', 'alice@example.com']],
    shows: [
      ['table', texts.signIns.about],
      ['cell', texts.signIns.outcome.signedIn],
      ['cell', `${texts.signIns.reason.INVALID_LOGIN_CREDENTIALS} × 3`],
      ['cell', texts.factors.app],
      ['cell', '203.0.113.7'],
      ['button', texts.signIns.more],
    ],
  },
  'duplicates of an account': {
    fixture: ACCOUNT_FIXTURES.duplicates,
    isForEditors: true,
    around: [['heading', 'alice@example.com']],
    open: () => click(['button', texts.merge.action]),
    shows: [
      ['dialog', texts.merge.title],
      texts.merge.partial,
      fill(texts.merge.shared, { contacts: '+442079460123' }),
    ],
  },
  'history of an account': {
    fixture: ACCOUNT_FIXTURES.history,
    around: [['heading', 'alice@example.com']],
    shows: [
      ['table', texts.history.about],
      ['cell', auditTexts.event.sign_in],
      ['cell', 'INVALID_CODE'],
      ['button', texts.history.more],
    ],
  },
  'export of accounts': {
    fixture: ACCOUNT_FIXTURES.export,
    open: () => click(['button', texts.export.action]),
    loading: ['progressbar', texts.export.running],
    shows: [fill(texts.export.read_other, { count: 3 }), ['button', texts.export.save]],
  },
});

testReadyViews({
  'project without accounts': {
    fixture: ACCOUNT_FIXTURES.empty,
    shows: [['heading', texts.none.title], texts.none.hint],
    offers: [['button', texts.create.title]],
  },
  'deleted account': {
    fixture: ACCOUNT_FIXTURES.deleted,
    shows: [
      ['heading', texts.gone.title],
      ['link', texts.gone.back],
      ['cell', auditTexts.event.sign_in],
    ],
    offers: [],
  },
});

test('[C444][C208] only owners may change the account of a member, and the page tells an editor so', async () => {
  await openView(ACCOUNT_FIXTURES.account, { role: 'editor' });
  await expectShown([texts.ofMember, ['heading', 'alice@example.com']]);
  await expectAbsent([
    ['button', texts.save],
    ['button', texts.bulk.delete.action],
  ]);
  await expectAccessible();
});

test('[C910] a filtered search by a prefix continues until its last page', async () => {
  const PREFIXED = 'GET /api/projects/demo/accounts?by=any&prefix=bob&state=disabled';
  await openView({
    address: 'accounts?q=bob&state=disabled',
    responses: {
      [`${PREFIXED}&after=1`]: json({ accounts: [BOB], next: null, examined: 20 }),
      [PREFIXED]: json({ accounts: [], next: '1', examined: 5_000 }),
      ...ACCOUNT_FIXTURES.found.responses,
      [COUNT]: json({ recordsCount: '1000000' }),
    },
  });
  await expectShown([
    ['link', 'bob@example.org'],
    fill(texts.status.found_one, { count: 1 }),
    fill(texts.filter.examined, { number: '5,020' }),
  ]);
});

test('[C496] the page of an account lists its passkeys, and removes one after a confirmation', async () => {
  const { responses, ...fixture } = ACCOUNT_FIXTURES.account;
  const server = await openView({ ...fixture, responses: { ...responses, [ROUTES.changed]: json({}) } });
  await expectShown([['heading', texts.passkeys.title], 'iCloud Keychain']);
  server.respond(ROUTES.account, json({ users: [{ ...ALICE, passkeyInfo: [] }] }));
  // The buttons of sign-in methods and second factors come before.
  await page.getByRole('button', { name: texts.passkeys.remove }).last().click();
  await expectShown([['dialog', texts.passkeys.removeTitle], texts.passkeys.removeText]);
  await expectAccessible();
  await page.getByRole('dialog').getByRole('button', { name: texts.passkeys.remove }).click();
  await expectShown([texts.passkeys.removed, texts.passkeys.none]);
});

test('[C740] a new sign-in appears without a reload', async () => {
  const server = await openView(ACCOUNT_FIXTURES.signIns);
  await expectShown([['cell', texts.signIns.outcome.signedIn]]);
  await expectAbsent([['cell', texts.signIns.reason.INVALID_CODE]]);
  const entry = {
    id: '0190a3',
    timeMs: 1_777_621_930_000,
    event: 'second_factor_failed',
    uid: ALICE.localId,
    actor: 'app',
    address: '203.0.113.7',
    userAgent: '',
    result: 'INVALID_CODE',
    detail: null,
    requestId: null,
    count: 1,
    lastTimeMs: null,
  };
  server.respond(ROUTES.signIns, json({ entries: [entry], next: null }));
  await expectShown([
    ['cell', texts.signIns.reason.INVALID_CODE],
    ['cell', texts.signIns.outcome.signedIn],
  ]);
});

test('[C742] accounts are merged after a preview of what is kept and lost, and after the user types the name', async () => {
  const server = await openView(ACCOUNT_FIXTURES.duplicates);
  await click(['button', texts.merge.action]);
  const dialog = page.getByRole('dialog', { name: texts.merge.title });
  await dialog.getByRole('button', { name: /zV9anonymous1/ }).click();
  await expectShown([
    `${texts.merge.part.provider}: github.com: alice@example.net`,
    `${texts.merge.part.phone}: +442079460999`,
    fill(texts.merge.unmoved, { uid: 'zV9anonymous1' }),
    fill(texts.merge.sessions_other, { count: 2 }),
    texts.merge.final,
  ]);
  await expectAccessible();
  const merge = dialog.getByRole('button', { name: texts.merge.run, exact: true });
  await expect.element(merge).toBeDisabled();
  await dialog.getByRole('textbox').fill('zV9anonymous1');
  server.respond(ROUTES.merged, requestError(409, 'account/changed', 'One of the accounts has changed.'));
  await merge.click();
  await expectShown(['One of the accounts has changed.']);
  server.respond(ROUTES.merged, json({ account: ALICE }));
  await merge.click();
  await expectShown([texts.merge.done]);
});

test('[C742] a merge that the server would reject is not offered, and the dialog says why', async () => {
  const { responses, ...fixture } = ACCOUNT_FIXTURES.duplicates;
  const preview = {
    into: ALICE,
    from: BOB,
    merged: ALICE,
    moved: [],
    lost: [],
    endedSessions: 0,
    digest: '',
  };
  await openView({
    ...fixture,
    responses: { ...responses, [ROUTES.merge]: json({ ...preview, problem: 'member' }) },
  });
  await click(['button', texts.merge.action]);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /zV9anonymous1/ })
    .click();
  await expectShown([texts.merge.problem.member, texts.merge.movedNone, texts.merge.lostNone]);
  await expect.element(page.getByRole('button', { name: texts.merge.run, exact: true })).toBeDisabled();
});

/** Opens the import dialog and chooses a file of two accounts, one of them without a user ID. */
async function chooseFile() {
  const server = await openView(ACCOUNT_FIXTURES.import);
  await expectShown([['dialog', texts.import.title], texts.import.about]);
  const input = document.querySelector('input[type="file"]');
  if (!(input instanceof HTMLInputElement)) throw new Error('The dialog has no field for a file.');
  await page.elementLocator(input).upload(new File([ACCOUNT_FILE], 'accounts.json'));
  await expectShown([
    fill(texts.import.accounts_other, { count: 2 }),
    fill(texts.import.nameless_one, { count: 1 }),
  ]);
  await expectAccessible();
  return server;
}

const START = ['button', fill(texts.import.action_other, { count: 2 })] as const;

test.each([
  [
    'runs',
    PENDING,
    [
      ['progressbar', texts.import.running],
      ['button', texts.bulk.stop],
    ],
  ],
  ['is forbidden', FORBIDDEN, [shell.failure.forbidden, FORBIDDEN_TEXT, ['button', shell.cancel]]],
  ['fails', BROKEN, [shell.failure.other, BROKEN_TEXT, ['button', shell.cancel]]],
  [
    'is done',
    json({ error: [{ index: 1, message: 'MISSING_LOCAL_ID' }] }),
    [fill(texts.import.imported_one, { count: 1 }), 'MISSING_LOCAL_ID', ['button', shell.close]],
  ],
] as const)('[C445][C200] the dialog shows that an import %s', async (_state, response, shows) => {
  const server = await chooseFile();
  server.respond(ROUTES.imported, response);
  await click(START);
  await expectShown(shows);
  await expectAccessible();
});

test.each([
  [
    'runs',
    PENDING,
    [
      ['progressbar', texts.bulk.progress],
      ['button', texts.bulk.stop],
    ],
  ],
  [
    'is forbidden',
    FORBIDDEN,
    [fill(texts.bulk.failed_other, { count: 2 }), FORBIDDEN_TEXT, ['button', shell.close]],
  ],
  ['fails', BROKEN, [fill(texts.bulk.failed_other, { count: 2 }), BROKEN_TEXT, ['button', shell.close]]],
  ['is done', json({}), [fill(texts.bulk.done_other, { count: 2 }), ['button', shell.close]]],
] as const)('[C445][C197] the dialog shows that a bulk action %s', async (_state, response, shows) => {
  select([ALICE, BOB], true);
  onTestFinished(() => select([ALICE, BOB], false));
  await openView({
    ...ACCOUNT_FIXTURES.list,
    responses: { ...ACCOUNT_FIXTURES.list.responses, [ROUTES.changed]: response },
  });
  await expectShown([['region', texts.selection.actions], fill(texts.selection.count_other, { count: 2 })]);
  await click(['button', texts.bulk.disable.action]);
  const title = fill(texts.bulk.disable.title_other, { count: 2 });
  await expectShown([['dialog', title]]);
  await expectAccessible();
  await page.getByRole('dialog').getByRole('button', { name: texts.bulk.disable.action }).click();
  await expectShown(shows);
  await expectAccessible();
  expect(page.getByRole('dialog', { name: title }).query()).not.toBeNull();
});

test.each([
  ['is forbidden', FORBIDDEN, [shell.failure.forbidden, FORBIDDEN_TEXT]],
  ['fails', BROKEN, [shell.failure.other, BROKEN_TEXT]],
] as const)(
  '[C445][C193] if the creation of an account %s, the dialog keeps the typed text',
  async (_state, response, shows) => {
    await openView({
      address: 'accounts?dialog=new',
      responses: { ...ACCOUNT_FIXTURES.list.responses, [ROUTES.created]: response },
    });
    const field = page.getByRole('textbox', { name: texts.field.email, exact: true });
    await field.fill('carol@example.com');
    await click(['button', texts.create.action]);
    await expectShown(shows);
    await expect.element(field).toHaveValue('carol@example.com');
    await expectAccessible();
  },
);
