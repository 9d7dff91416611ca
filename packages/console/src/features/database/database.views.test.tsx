import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  BROKEN,
  BROKEN_TEXT,
  FORBIDDEN,
  FORBIDDEN_TEXT,
  json,
  jsonLines,
  PENDING,
} from '../../api/fake-server.fixture.ts';
import {
  click,
  expectAbsent,
  expectAccessible,
  expectShown,
  fill,
  LOADING,
  RETRY,
  testReadyViews,
  testViewStates,
} from '../../app/view-states.suite.ts';
import { openView } from '../../app/view-test-bed.fixture.tsx';
import texts from '../../language/messages/en/data.json';
import rules from '../../language/messages/en/rules.json';
import shell from '../../language/messages/en/shell.json';
import {
  DATABASE,
  DATABASE_FIXTURES,
  IMPORTS,
  NO_CHANGES,
  QUERIED,
  ROUTES,
  STAGED,
} from './database.fixtures.ts';
import { stagingName, writeStaging } from './staging/store.ts';

const ADD = ['button', texts.add.title] as const;

testViewStates({
  'databases of a project': {
    fixture: DATABASE_FIXTURES.databases,
    shows: [
      ['list', texts.databases.label],
      ['link', DATABASE],
      ['link', 'demo-archive'],
    ],
    offers: [['button', texts.databases.create]],
  },
  tree: {
    fixture: DATABASE_FIXTURES.tree,
    shows: [
      ['treegrid', fill(texts.tree.label, { path: '/' })],
      'isOpen',
      'Welcome to the demo',
      'rooms',
      'visits',
      fill(texts.tree.children_other, { number: 5 }),
    ],
    offers: [ADD, ['button', texts.transfer.import]],
  },
  table: {
    fixture: DATABASE_FIXTURES.table,
    shows: [
      ['grid', fill(texts.table.label, { path: '/rooms' })],
      ['columnheader', `topic ${texts.table.types.string}`],
      ['gridcell', 'plants'],
      ['gridcell', '12'],
    ],
    offers: [['button', texts.transfer.import]],
  },
  JSON: {
    fixture: DATABASE_FIXTURES.json,
    shows: [['textbox', fill(texts.json.label, { path: '/rooms' })], '"everything"'],
    offers: [
      ['button', texts.edit.save],
      ['button', texts.json.discard],
    ],
  },
  search: {
    fixture: DATABASE_FIXTURES.search,
    loading: ['progressbar', texts.search.running],
    shows: [['link', '/rooms/lobby/topic'], '"everything"', fill(texts.search.hits_one, { number: 1 })],
  },
  'impersonated account': {
    fixture: DATABASE_FIXTURES.impersonated,
    shows: [['region', texts.actAs.bar], 'ann@example.com', 'lobby'],
  },
  'tree that the rules deny to the impersonated account': {
    fixture: DATABASE_FIXTURES.impersonatedTree,
    around: [['region', texts.actAs.bar]],
    shows: [texts.actAs.deniedRead, texts.actAs.deniedPage, 'lobby', texts.actAs.locked],
  },
  'reason of a denied read': {
    fixture: DATABASE_FIXTURES.explained,
    open: () => click(['button', texts.actAs.why]),
    shows: [['dialog', `${texts.actAs.explain.read} /rooms`], rules.simulator.denied],
  },
});

testReadyViews({
  'project without databases': {
    fixture: DATABASE_FIXTURES.noDatabases,
    shows: [['heading', texts.databases.none]],
    offers: [['button', texts.databases.create]],
  },
  'tree with an open node': {
    fixture: DATABASE_FIXTURES.openTree,
    shows: ['garden', 'lobby'],
    offers: [ADD],
  },
  'empty database': {
    fixture: DATABASE_FIXTURES.emptyDatabase,
    shows: [['heading', texts.node.emptyDatabase]],
    offers: [ADD, texts.node.absentHint],
  },
  'node that is a value': {
    fixture: DATABASE_FIXTURES.value,
    shows: [
      ['heading', fill(texts.node.isValue, { key: 'motd', kind: texts.kinds.string })],
      '"Welcome to the demo"',
    ],
    offers: [['button', texts.edit.title]],
  },
  'table of a value': {
    fixture: DATABASE_FIXTURES.noTable,
    shows: [['heading', texts.table.none], texts.table.noneHint],
  },
  'JSON that is too large': {
    fixture: DATABASE_FIXTURES.largeJson,
    shows: [texts.json.tooLarge],
  },
  'search without results': {
    fixture: DATABASE_FIXTURES.noHits,
    shows: [['heading', fill(texts.search.none, { text: 'every' })]],
  },
  'impersonated account that does not exist': {
    fixture: DATABASE_FIXTURES.absentAccount,
    shows: [['heading', texts.actAs.absent], 'ann', ['button', texts.actAs.stop]],
  },
});

describe('query', () => {
  const FOUND = [
    ['list', texts.query.results],
    ['link', 'garden'],
    fill(texts.query.found_other, { number: 2 }),
  ] as const;

  test('[C444] while the data is loading, the view shows a progress indicator with a name', async () => {
    await openView({ ...DATABASE_FIXTURES.query, listens: { '/rooms': { kind: 'pending' } } });
    await expectShown([LOADING]);
    await expectAbsent([RETRY]);
    await expectAccessible();
  });

  test('[C444] without permission, the view says so and offers no retry', async () => {
    await openView({ ...DATABASE_FIXTURES.query, listens: { '/rooms': { kind: 'denied' } } });
    await expectShown([shell.failure.forbidden]);
    await expectAbsent([RETRY, LOADING]);
    await expectAccessible();
  });

  test('[C444] after an error, a retry shows the data once the server responds', async () => {
    const server = await openView({ ...DATABASE_FIXTURES.query, listens: { '/rooms': { kind: 'failed' } } });
    await expectShown([shell.failure.other, RETRY]);
    await expectAbsent([LOADING]);
    await expectAccessible();
    server.respondToListen('/rooms', { kind: 'value', value: QUERIED });
    await click(RETRY);
    await expectShown(FOUND);
    await expectAbsent([RETRY]);
  });

  test('[C444] a member sees the matching children', async () => {
    await openView({ ...DATABASE_FIXTURES.query, listens: { '/rooms': { kind: 'value', value: QUERIED } } });
    await expectShown(FOUND);
    await expectAbsent([RETRY, LOADING]);
    await expectAccessible();
  });
});

describe('review of staged edits', () => {
  beforeEach(() => {
    const name = stagingName('demo', DATABASE, 'member');
    writeStaging(name, STAGED);
    onTestFinished(() => writeStaging(name, []));
  });
  const APPLY = ['button', fill(texts.staged.apply_other, { number: 2 })] as const;

  test('[C444][C333] the panel lists the staged edits and applies them', async () => {
    await openView(DATABASE_FIXTURES.review);
    await expectShown([
      ['dialog', texts.staged.title],
      ['link', '/motd'],
      'Closed today',
      ['link', '/rooms/attic'],
      APPLY,
      ['button', texts.staged.dropAll],
    ]);
    await expectAccessible();
    await click(APPLY);
    await expectAbsent([['dialog', texts.staged.title]]);
    await expectShown([fill(texts.staged.applied_other, { number: 2 })]);
  });

  test('[C444][C334] the panel shows the current value of a conflicting edit, and the edits cannot be applied', async () => {
    await openView(DATABASE_FIXTURES.staleReview);
    await expectShown([texts.staged.now, '"Open late"', fill(texts.staged.decide, { number: 1 })]);
    await expect.element(page.getByRole('button', { name: APPLY[1] })).toBeDisabled();
    await expectAccessible();
  });

  test('[C444][C338] a viewer sees the edits and cannot apply them', async () => {
    await openView(DATABASE_FIXTURES.review, { role: 'viewer' });
    await expectShown([['dialog', texts.staged.title], 'Closed today', texts.staged.mayNotApply]);
    await expect.element(page.getByRole('button', { name: APPLY[1] })).toBeDisabled();
  });

  test.each([
    ['is forbidden', FORBIDDEN, FORBIDDEN_TEXT],
    ['fails', BROKEN, BROKEN_TEXT],
  ] as const)(
    '[C445] if applying %s, the panel says so and keeps the edits',
    async (_why, response, text) => {
      const server = await openView(DATABASE_FIXTURES.review);
      await expectShown([APPLY]);
      server.respond(ROUTES.changes, response);
      await click(APPLY);
      await expectShown([text, ['link', '/motd'], APPLY]);
      await expectAccessible();
    },
  );
});

test.each([
  ['runs', PENDING, [['progressbar', texts.transfer.running]]],
  ['is forbidden', FORBIDDEN, [shell.failure.forbidden, FORBIDDEN_TEXT]],
  ['fails', BROKEN, [shell.failure.other, BROKEN_TEXT]],
  ['has an invalid file', json(IMPORTS.failed), ['The file is not valid JSON.']],
  ['is done', json(IMPORTS.done), [fill(texts.transfer.imported, { file: 'rooms.json' })]],
] as const)('[C445][C66] the user sees that an import %s', async (_state, response, shows) => {
  const id = '00000000-0000-4000-8000-000000000000';
  const random = crypto.randomUUID;
  crypto.randomUUID = () => id;
  onTestFinished(() => {
    crypto.randomUUID = random;
  });
  const address = `/api/databases/${DATABASE}/imports/${id}`;
  await openView({
    address: DATABASE_FIXTURES.tree.address,
    responses: {
      ...DATABASE_FIXTURES.tree.responses,
      [ROUTES.importedSize]: jsonLines([{ kind: 'done', entries: 1, bytes: 10 }]),
      [ROUTES.latestChange]: json(NO_CHANGES),
      [`PUT ${address}`]: json({ offset: 0, status: 'open' }),
      [`PATCH ${address}`]: response,
      [`DELETE ${address}`]: json({}),
    },
  });
  await click(['button', texts.transfer.import]);
  await expectShown([['dialog', texts.transfer.import]]);
  const input = document.querySelector('[role="dialog"] input[type="file"]');
  if (!(input instanceof HTMLInputElement)) throw new Error('The dialog has no field for a file.');
  await page.elementLocator(input).upload(new File(['{"rooms":{}}'], 'rooms.json'));
  await expectShown(['rooms.json']);
  await expectAccessible();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: texts.transfer.mergeAction, exact: true })
    .click();
  await expectShown(shows);
  await expectAccessible();
});

test.each([
  ['is forbidden', FORBIDDEN, FORBIDDEN_TEXT],
  ['fails', BROKEN, BROKEN_TEXT],
] as const)('[C445] if an export %s, a notice says so', async (_why, response, text) => {
  await openView({
    address: DATABASE_FIXTURES.tree.address,
    responses: { ...DATABASE_FIXTURES.tree.responses, [ROUTES.exported]: response },
  });
  await click(['button', texts.transfer.export]);
  await expectShown([text]);
});

test('[C444][C45] a viewer sees JSON that cannot be edited', async () => {
  await openView(DATABASE_FIXTURES.json, { role: 'viewer' });
  const editor = page.getByRole('textbox', { name: fill(texts.json.label, { path: '/rooms' }) });
  await expect.element(editor).toHaveAttribute('aria-readonly', 'true');
});

test('[C444] the dialog of “View as” asks which identity to use', async () => {
  await openView(DATABASE_FIXTURES.tree);
  await click(['button', texts.actAs.choose]);
  await expectShown([['dialog', texts.actAs.choose], texts.actAs.about, texts.actAs.limits]);
  await expectAccessible();
});
