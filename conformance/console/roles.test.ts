import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleMember, makeMember, signInMember } from '../drivers/console/member.ts';
import { waitForWholePage } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const PROJECT = 'hats';
const testBed = openConsoleTestBed({ command: 'serve', args: ['--public-url', 'http://127.0.0.1'] });

/** Names of buttons that change something. */
const CHANGES =
  /^(?:add|create|new|import|edit|save|delete|remove|rename|move|duplicate|publish|roll back|disable|enable|end|sign out|send|set|make|erase|paste)\b/i;
/** Names that match `CHANGES`, but whose buttons change nothing on the server. */
const HARMLESS = /^edit as draft$|^save \d+ entr/i;

interface View {
  readonly at: string;
  /** Text that shows that the view is drawn. */
  readonly shows: string | RegExp;
  /** A button for a change that the view shows editors. */
  readonly forEditors?: string | RegExp;
  /** A button for a change that the view shows only owners. */
  readonly forOwners?: string | RegExp;
}

function viewsOf(uid: string): readonly View[] {
  return [
    { at: `/data/${PROJECT}`, shows: 'rooms', forEditors: 'Import' },
    { at: `/rules/${PROJECT}/edit`, shows: '".read"' },
    { at: `/rules/${PROJECT}/versions/1`, shows: 'Compared with current', forEditors: 'Roll back' },
    { at: '/accounts', shows: 'ada@example.com', forEditors: 'New account' },
    { at: `/accounts/${uid}`, shows: 'History', forEditors: 'Delete' },
    { at: '/sign-in/domains', shows: 'Authorized domains', forOwners: 'Add' },
    { at: '/sign-in/mail', shows: 'Mail server', forOwners: 'Send' },
    { at: '/activity/connections', shows: 'No connections' },
    { at: '/activity/audit', shows: 'Member changed' },
    { at: '/settings/members', shows: 'Member since', forOwners: 'Add member' },
    { at: '/settings/keys', shows: 'Owners only', forOwners: 'New key' },
    { at: '/settings/databases', shows: PROJECT, forOwners: 'New database' },
    { at: '/settings/erase', shows: 'Only owners', forOwners: 'Erase all data' },
  ];
}

let ada = '';

beforeAll(async () => {
  await testBed.admin('POST', '/api/projects', { id: PROJECT });
  await testBed.admin('PUT', `/rooms.json?ns=${PROJECT}`, { lobby: 'hello' });
  for (const read of ['true', 'auth != null'])
    await testBed.admin('POST', `/api/databases/${PROJECT}/rules/publish`, {
      source: `{"rules": {".read": "${read}"}}`,
    });
  const account = { email: 'ada@example.com', password: 'a long password of hers' };
  const made = await testBed.admin(
    'POST',
    `/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts`,
    account,
  );
  ada = String(Object(made).localId);
});

/** Returns the names of the buttons in the view that change something. */
async function changesOffered(page: Page): Promise<readonly string[]> {
  const main = page.getByRole('main');
  const names = await main
    .getByRole('button', { disabled: false })
    .evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''),
    );
  return names.filter((name) => CHANGES.test(name) && !HARMLESS.test(name));
}

/**
 * Signs in a member, opens each view, and calls `check`. Fails if the server denies a request of a view, or if a view
 * breaks an accessibility rule.
 */
async function visitAll(
  member: ConsoleMember,
  views: readonly View[],
  check: (view: View, page: Page) => Promise<void>,
): Promise<void> {
  const visitor = await testBed.visit(`/projects/${PROJECT}/settings`);
  const { page } = visitor;
  await signInMember(page, member);
  const denied: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 401 || response.status() === 403) denied.push(response.url());
  });
  for (const view of views) {
    await page.goto(`${testBed.server.url}/console/projects/${PROJECT}${view.at}`);
    await page.getByRole('main').getByText(view.shows).first().waitFor();
    await waitForWholePage(page);
    await check(view, page);
    await visitor.expectAccessible();
    expect(denied, view.at).toEqual([]);
  }
}

function button(page: Page, name: string | RegExp) {
  return page.getByRole('main').getByRole('button', { name }).first();
}

test('[C45] a viewer finds the content of every area, and no button for a change', async () => {
  const viewer = await makeMember(testBed, PROJECT, { role: 'viewer' });
  await visitAll(viewer, viewsOf(ada), async ({ at }, page) => {
    expect(await changesOffered(page), at).toEqual([]);
  });
});

test('[C47][C208] an editor finds buttons for changes, but none for changes that only owners may make', async () => {
  const editor = await makeMember(testBed, PROJECT, { role: 'editor' });
  const own: View = {
    at: `/accounts/${editor.uid}`,
    shows: 'Only owners can change it.',
    forOwners: 'Delete',
  };
  const views = viewsOf(ada).filter((view) => 'forEditors' in view || 'forOwners' in view);
  await visitAll(editor, [...views, own], async ({ at, forEditors, forOwners }, page) => {
    if (forEditors !== undefined) await button(page, forEditors).waitFor();
    if (forOwners !== undefined) expect(await changesOffered(page), at).toEqual([]);
  });
});
