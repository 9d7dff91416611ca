import { beforeAll, beforeEach, expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { holdRequests } from '../drivers/console/page.ts';
import { openAccountProject, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, type ConsoleVisitor, DARK, PHONE } from '../drivers/console/visitor.ts';

const PROJECT = 'hats';
const DATABASE = 'hats';
const VIEW = `/projects/${PROJECT}/data/${DATABASE}`;
const testBed = openConsoleTestBed();

const RULES = {
  rules: {
    open: { '.read': true, '.write': 'auth.token.admin === true' },
    rooms: {
      $room: {
        '.read': "data.child('members').hasChild(auth.uid)",
        '.write': "data.child('members').hasChild(auth.uid)",
        topic: { '.validate': 'newData.isString()' },
      },
    },
    owned: {
      '.read': "query.orderByChild === 'owner' && query.equalTo === auth.uid",
      '.indexOn': 'owner',
    },
  },
};
const DATA = {
  open: { motd: 'welcome' },
  rooms: {
    lobby: { members: { ann: true }, topic: 'cats' },
    cellar: { members: { bob: true } },
    note: 'secret',
  },
  owned: { x: { owner: 'ann' }, y: { owner: 'bob' } },
};
const ACCOUNTS = [
  { localId: 'ann', email: 'ann@example.com', displayName: 'Ann Hatter', customAttributes: '{"admin":true}' },
  { localId: 'bob', email: 'bob@example.com', displayName: 'Bob' },
];

function as(impersonated: string, more = ''): string {
  return `?as=${encodeURIComponent(impersonated)}${more}`;
}

async function publish(source: unknown): Promise<void> {
  await testBed.admin('POST', `/api/databases/${DATABASE}/rules/publish`, { source: JSON.stringify(source) });
}

function read(path: string): Promise<unknown> {
  return testBed.admin('GET', `/${path}.json?ns=${DATABASE}`);
}

function barOf({ page }: ConsoleVisitor) {
  return page.getByRole('region', { name: 'Viewing as' });
}

beforeAll(async () => {
  await openAccountProject(testBed, PROJECT, ACCOUNTS);
});

beforeEach(async () => {
  await publish(RULES);
  await testBed.admin('PUT', `/.json?ns=${DATABASE}`, DATA);
});

test('[C350][C351][C352] a user finds an account by its name, views data as that account by keyboard alone, and exits', async () => {
  const visitor = await testBed.visit(VIEW);
  const { page } = visitor;
  await page.getByRole('treegrid').focus();
  await page.keyboard.press('u');
  const dialog = page.getByRole('dialog', { name: 'View as…' });
  const field = dialog.getByRole('combobox');
  await field.focus();
  await field.pressSequentially('hatter');
  await page.getByRole('option', { name: 'ann@example.com' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.getByText('{"admin":true}').waitFor();
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'View', exact: true }).press('Enter');
  const bar = barOf(visitor);
  await bar.getByText('ann@example.com').waitFor();
  await bar.getByText('{"admin":true}').waitFor();
  expect(new URL(page.url()).searchParams.get('as')).toBe('account:ann');
  await visitor.picture('data-act-as-light');
  await visitor.expectAccessible();
  await bar.getByRole('button', { name: 'Exit' }).press('Enter');
  await bar.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.has('as')).toBe(false);
});

test('[C425] a user who continues typing can still select among the found accounts', async () => {
  const visitor = await testBed.visit(VIEW);
  const { page } = visitor;
  const forAll = '**/accounts?by=any&prefix=hatter&*';
  const release = await holdRequests(page, forAll);
  await page.getByRole('treegrid').focus();
  await page.keyboard.press('u');
  const dialog = page.getByRole('dialog', { name: 'View as…' });
  const field = dialog.getByRole('combobox');
  const found = page.getByRole('option', { name: 'ann@example.com' });
  await field.pressSequentially('hatte');
  await found.waitFor();
  const requested = page.waitForRequest(forAll);
  const answered = page.waitForResponse(forAll);
  await field.press('r');
  await requested;
  await field.press('ArrowDown');
  release();
  await (await answered).finished();
  await field.press('Enter');
  await dialog.getByText('{"admin":true}').waitFor();
  const forOthers = '**/accounts?by=any&prefix=z&*';
  await page.route(forOthers, () => undefined);
  const requestedAgain = page.waitForRequest(forOthers);
  await field.press('z');
  await requestedAgain;
  expect(await found.count()).toBe(0);
});

test('[C354] the tree shows what the rules let another principal read, and marks the rest', async () => {
  const visitor = await testBed.visit(`${VIEW}/rooms${as('account:ann')}`);
  const { page } = visitor;
  await page.getByText('The rules deny reading /rooms').waitFor();
  await rowOf(visitor.page, 'lobby').getByText('cats').waitFor();
  for (const key of ['cellar', 'note']) await rowOf(visitor.page, key).getByText('no read access').waitFor();
  expect(await page.getByText('secret').count()).toBe(0);
  await rowOf(visitor.page, 'note').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Why no read access?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Read access to /rooms/note' });
  await dialog.getByRole('group', { name: '.read /rooms/$room' }).waitFor();
  await visitor.expectAccessible();
  await visitor.picture('data-act-as-why-light');
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  await page.goto(`${testBed.server.url}/console${VIEW}/rooms${as('account:ann', '&view=table')}`);
  await page.getByText('The rules deny reading /rooms').waitFor();
  await page.getByRole('gridcell', { name: 'cats' }).waitFor();
  expect(await page.getByText('secret').count()).toBe(0);
  await page.goto(`${testBed.server.url}/console${VIEW}/rooms/note${as('nobody')}`);
  await page.getByRole('heading', { name: 'no read access' }).waitFor();
});

test('[C355][C357] rules decide what JSON and filters show, even if they are published while the view is open', async () => {
  const visitor = await testBed.visit(
    `${VIEW}/owned${as('account:ann', '&order=child&child=owner&equal=ann&limit=10')}`,
  );
  const { page } = visitor;
  await page.getByText('1 matching child').waitFor();
  await publish({ rules: {} });
  await page.getByRole('button', { name: 'Why?' }).click();
  await page.getByRole('dialog', { name: 'Read access to /owned' }).waitFor();
  await page.keyboard.press('Escape');
  await publish(RULES);
  await page.goto(`${testBed.server.url}/console${VIEW}/open${as('nobody', '&view=json')}`);
  await page.getByText('"welcome"').waitFor();
  await publish({ rules: {} });
  const denied = barOf(visitor).getByText('The rules deny reading /open');
  await denied.waitFor();
  await expect.poll(() => page.getByText('"welcome"').count()).toBe(0);
  await publish(RULES);
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
  await page.getByText('"welcome"').waitFor();
});

test('[C357] the tree follows newly published rules', async () => {
  const visitor = await testBed.visit(`${VIEW}/open${as('nobody')}`);
  const line = rowOf(visitor.page, 'motd');
  await line.getByText('welcome').waitFor();
  await publish({ rules: {} });
  await line.getByText('no read access').waitFor();
  await publish(RULES);
  await line.getByText('welcome').waitFor();
});

test('[C356] a write that the rules deny is not made, and the page shows the rule', async () => {
  const visitor = await testBed.visit(`${VIEW}/rooms/lobby${as('account:ann')}`);
  const { page } = visitor;
  const edit = async (text: string): Promise<void> => {
    await rowOf(visitor.page, 'topic').getByText('topic', { exact: true }).click();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Value of topic' }).fill(text);
    await page.keyboard.press('Enter');
  };
  await edit('dogs');
  await expect.poll(() => read('rooms/lobby/topic')).toBe('dogs');
  await page.getByRole('textbox', { name: 'Value of topic' }).waitFor({ state: 'detached' });
  await publish({ rules: { rooms: { lobby: { '.read': true, '.write': "auth.uid === 'bob'" } } } });
  await edit('birds');
  const bar = barOf(visitor);
  await bar.getByText('The rules deny writing /rooms/lobby/topic').waitFor();
  expect(await read('rooms/lobby/topic')).toBe('dogs');
  await bar.getByRole('button', { name: 'Why?' }).press('Enter');
  const rule = page.getByRole('dialog').getByRole('group', { name: '.write /rooms/lobby', exact: true });
  await rule.getByRole('group', { name: "auth.uid === 'bob'" }).first().waitFor();
  await rule.getByText('✗ false').first().waitFor();
});

test('[C353] invalid claims are marked, and an address with invalid claims shows no data', async () => {
  const visitor = await testBed.visit(`${VIEW}${as('{"uid":')}`);
  const { page } = visitor;
  await page.getByRole('heading', { name: 'The URL contains no valid identity' }).waitFor();
  expect(await page.getByRole('treegrid').count()).toBe(0);
  await visitor.expectAccessible();
  await page.getByRole('main').getByRole('button', { name: 'View as…' }).last().click();
  const dialog = page.getByRole('dialog', { name: 'View as…' });
  await dialog.getByRole('button', { name: 'Custom auth' }).click();
  const field = dialog.getByRole('textbox', { name: 'auth variable (JSON)' });
  for (const text of ['{', '[]', 'null', `{"uid":"${'x'.repeat(4_000)}"}`]) {
    await field.fill(text);
    await dialog.getByText('Enter a JSON object of at most 4,000 characters.').waitFor();
    expect(await dialog.getByRole('button', { name: 'View', exact: true }).isDisabled()).toBe(true);
  }
  await field.fill('{"uid":"bob"}');
  await dialog.getByRole('button', { name: 'View', exact: true }).click();
  await barOf(visitor).getByText('bob').first().waitFor();
  await page.goto(`${testBed.server.url}/console${VIEW}/rooms${as('{"uid":"bob"}')}`);
  await rowOf(visitor.page, 'lobby').getByText('no read access').waitFor();
  await rowOf(visitor.page, 'cellar').getByText('1 child').waitFor();
});

test('[C350][C359] the page reports that the impersonated account is deleted, and shows no data for an unknown account', async () => {
  await openAccountProject(testBed, PROJECT, [{ localId: 'carl', email: 'carl@example.com' }]);
  const visitor = await testBed.visit(`${VIEW}/open${as('account:carl')}`);
  const { page } = visitor;
  await rowOf(visitor.page, 'motd').getByText('welcome').waitFor();
  await testBed.admin('POST', `/v1/projects/${PROJECT}/accounts:batchDelete`, {
    localIds: ['carl'],
    force: true,
  });
  await barOf(visitor).getByText('This account was deleted.').waitFor();
  await rowOf(visitor.page, 'motd').getByText('welcome').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Account not found' }).waitFor();
  expect(await page.getByText('welcome').count()).toBe(0);
});

test.each([
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
] as const)('[C365] impersonation passes the accessibility rules: %s', async (name, options) => {
  const visitor = await testBed.visit(`${VIEW}/rooms${as('account:ann')}`, options);
  const { page } = visitor;
  await page.getByText('cellar').waitFor();
  await visitor.picture(`data-act-as-${name}`);
  await visitor.expectAccessible();
});
