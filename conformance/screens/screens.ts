import type { Locator, Page } from 'playwright';
import { rowOf } from '../drivers/console/data-tree.ts';
import { DATABASE, PASSWORD, PROJECT } from './chat-data.ts';

/**
 * When the picture of a page is taken: `before-traffic`, before users of the chat are active; `in-traffic`, while
 * they are active; `after-traffic`, when they have left and the data is as it was at the beginning. On another server:
 * `as-member`, after the owner has signed in; `as-new-member`, after a member without a second factor has entered a
 * password.
 */
export type Moment = 'before-traffic' | 'in-traffic' | 'after-traffic' | 'as-member' | 'as-new-member';

/** A page in a certain state. */
export interface Screen {
  /** Name of its pictures, without the ending for the look. */
  readonly name: string;
  readonly moment: Moment;
  /**
   * Path in the console below that of the project, with the query. A path that begins with `/` is below that of the
   * server: a page for users of apps.
   */
  readonly view: string;
  /**
   * Brings the page into its state, and waits until it shows that state. Does not search for texts of the page,
   * because these differ by language.
   */
  readonly show: (page: Page) => Promise<void>;
}

const DATA = `data/${DATABASE}`;
const RULES = `rules/${DATABASE}`;

/** Returns a function that waits until a page shows a text. */
function untilText(text: string): Screen['show'] {
  return (page) => page.getByText(text).first().waitFor();
}

function selectedTab(page: Page): Locator {
  return page.getByRole('main').getByRole('tab', { selected: true });
}

/** Waits until the explorer shows the row of a child. An explorer without rows ignores the keyboard. */
function untilRow(page: Page, key: string): Promise<void> {
  return rowOf(page, key).first().waitFor();
}

/** Stages two changed values and a deletion. */
async function stageEdits(page: Page): Promise<void> {
  await untilRow(page, 'topic');
  await page.keyboard.press('e');
  await changeValue(page, 'motd', 'Release day is Friday');
  await changeValue(page, 'topic', 'Cakes for Friday');
  await rowOf(page, 'open').click();
  await page.keyboard.press('Delete');
  await rowOf(page, 'open').locator('.sign').waitFor();
  await dismissNotice(page);
  await rowOf(page, 'owner').click();
}

/** Waits for the notice about the last action, and closes it. */
async function dismissNotice(page: Page): Promise<void> {
  const notice = page.locator('.MuiSnackbar-root');
  await notice.waitFor();
  await page.keyboard.press('Escape');
  await notice.waitFor({ state: 'detached' });
}

async function changeValue(page: Page, key: string, text: string): Promise<void> {
  await rowOf(page, key).dblclick();
  const field = page.getByRole('treegrid').getByRole('textbox');
  await field.fill(text);
  await field.press('Enter');
  await rowOf(page, key).locator('.sign').waitFor();
}

/** Saves the shown view as a query; the list of queries stays open. */
async function saveQuery(page: Page, name: string): Promise<void> {
  await page.keyboard.press('b');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(name);
  await page.keyboard.press('Enter');
  await dialog.getByRole('link', { name }).waitFor();
}

/** Saves two queries; the list of queries stays open. */
async function saveQueries(page: Page): Promise<void> {
  await untilText('m123')(page);
  await saveQuery(page, 'Latest messages');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const address = new URL(page.url());
  address.search = '?order=child&child=by&equal=maya&limit=10';
  await page.goto(address.href);
  await untilText('m104')(page);
  await saveQuery(page, 'Messages by Maya');
  const notice = page.locator('.MuiSnackbar-root');
  // While the dialog is open, the button has no role.
  await notice.locator('button').click();
  await notice.waitFor({ state: 'detached' });
}

async function openChanges(page: Page): Promise<void> {
  await untilRow(page, 'lobby');
  await page.locator('button[value=changes]').click();
  await page.getByRole('dialog').getByRole('listitem').nth(3).waitFor();
}

/** The view of messages that `saveQueries` saves first. */
const LATEST = '?order=key&limit=10&last=true';

/** Index of *Why no read access?* among the entries in the menu of a node with children. */
const WHY = 3;

async function explainDenial(page: Page): Promise<void> {
  await rowOf(page, 'design').click({ button: 'right' });
  await page.getByRole('menuitem').nth(WHY).click();
  await page.getByRole('dialog').locator('[data-step="0"]').first().waitFor();
}

/** Opens the dialog for importing a file into a room, with a preview of what the file changes. */
async function previewImport(page: Page): Promise<void> {
  await untilRow(page, 'topic');
  await page.locator('main button:has(.MuiButton-startIcon)').nth(1).click();
  const dialog = page.getByRole('dialog');
  const file = { topic: 'Recipes for Sunday', owner: 'ada', color: 'green' };
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'kitchen.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(file)),
  });
  await dialog.getByRole('listitem').first().waitFor();
}

/** Waits until a page has loaded a field. */
async function untilField(page: Page): Promise<void> {
  await page.getByRole('main').locator('input, textarea').first().waitFor();
}

async function openDenial(page: Page): Promise<void> {
  await page.getByRole('link').filter({ hasText: '/messages/lobby/m201' }).first().click();
  await page.locator('[data-step="0"]').first().waitFor();
}

async function searchInPalette(page: Page): Promise<void> {
  await untilText('anna@example.com')(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('ann');
  await page.getByRole('option').filter({ hasText: 'annika@example.com' }).waitFor();
}

/** Value of the parameter `as` for *View as*. */
const AS_BEN = encodeURIComponent('account:ben');

/** Parameters of an app whose user signs in on a page of the server. */
const APP = { apiKey: 'any', redirectUrl: 'http://localhost:3000/' };

/** The page of a development server in place of Apple's, as `signInWithPopup` opens it. */
const HANDLER = `/__/auth/handler?${new URLSearchParams({
  ...APP,
  appName: '[DEFAULT]',
  authType: 'signInViaPopup',
  eventId: '1',
  providerId: 'apple.com',
})}`;

/** The hosted sign-in page, as `startHostedSignIn` opens it. */
const HOSTED = `/__/auth/sign-in?${new URLSearchParams({ ...APP, state: 'state', challenge: 'a'.repeat(43) })}`;

/** Signs in on the hosted account page. */
async function signInToAccount(page: Page): Promise<void> {
  await page.locator('input[type=email]').fill('ada@example.com');
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.locator('section').first().waitFor();
}

/** All pages that have pictures. */
export const SCREENS: readonly Screen[] = [
  { name: 'overview', moment: 'in-traffic', view: '', show: untilText('presence') },
  {
    name: 'data',
    moment: 'after-traffic',
    view: `${DATA}?open=rooms.rooms/lobby`,
    show: (page) => untilRow(page, 'owner'),
  },
  {
    name: 'data-table',
    moment: 'after-traffic',
    view: `${DATA}/messages/lobby?view=table`,
    show: (page) => page.getByRole('gridcell').first().waitFor(),
  },
  {
    name: 'data-json',
    moment: 'after-traffic',
    view: `${DATA}/rooms?view=json`,
    show: untilText('"Recipes for Friday"'),
  },
  {
    name: 'data-staged',
    moment: 'after-traffic',
    view: `${DATA}?open=rooms.rooms/kitchen`,
    show: stageEdits,
  },
  {
    name: 'data-review',
    moment: 'after-traffic',
    view: `${DATA}?open=rooms.rooms/kitchen`,
    async show(page) {
      await stageEdits(page);
      await page.keyboard.press('r');
      await page.getByRole('dialog').getByRole('listitem').nth(2).waitFor();
    },
  },
  {
    name: 'data-act-as',
    moment: 'after-traffic',
    view: `${DATA}/rooms?as=${AS_BEN}&open=kitchen`,
    show: (page) => untilRow(page, 'topic'),
  },
  {
    name: 'data-act-as-why',
    moment: 'after-traffic',
    view: `${DATA}/rooms?as=${AS_BEN}`,
    show: explainDenial,
  },
  {
    name: 'data-saved-queries',
    moment: 'after-traffic',
    view: `${DATA}/messages/lobby${LATEST}`,
    show: saveQueries,
  },
  {
    name: 'data-changes',
    moment: 'after-traffic',
    view: `${DATA}/rooms`,
    show: openChanges,
  },
  { name: 'rules-editor', moment: 'before-traffic', view: `${RULES}/edit`, show: untilText('"rooms"') },
  { name: 'rules-denials', moment: 'after-traffic', view: `${RULES}/denials`, show: openDenial },
  {
    name: 'rules-simulator',
    moment: 'after-traffic',
    view: `${RULES}/simulator?op=read&path=/rooms/releases`,
    show: (page) => page.locator('[data-step="0"]').first().waitFor(),
  },
  {
    name: 'rules-versions',
    moment: 'after-traffic',
    view: `${RULES}/versions`,
    show: untilText('Limit the length of topics'),
  },
  {
    name: 'rules-cases',
    moment: 'after-traffic',
    view: `${RULES}/cases`,
    show: (page) => selectedTab(page).waitFor(),
  },
  {
    name: 'data-import',
    moment: 'after-traffic',
    view: `${DATA}/rooms/kitchen`,
    show: previewImport,
  },
  { name: 'account', moment: 'after-traffic', view: 'accounts/ada', show: untilText('ada@example.com') },
  { name: 'accounts', moment: 'before-traffic', view: 'accounts', show: untilText('anna@example.com') },
  {
    name: 'accounts-search',
    moment: 'before-traffic',
    view: 'accounts?q=an',
    show: untilText('anna@example.com'),
  },
  { name: 'palette', moment: 'before-traffic', view: 'accounts', show: searchInPalette },
  {
    name: 'sign-in',
    moment: 'before-traffic',
    view: 'sign-in',
    show: (page) => page.getByRole('switch').first().waitFor(),
  },
  {
    name: 'mails',
    moment: 'before-traffic',
    view: 'sign-in/templates',
    show: untilText('noreply@127.0.0.1'),
  },
  {
    name: 'providers',
    moment: 'before-traffic',
    view: 'sign-in/providers',
    show: untilText('/__/auth/handler'),
  },
  { name: 'phone', moment: 'before-traffic', view: 'sign-in/phone', show: untilText('SMS') },
  {
    name: 'text-messages',
    moment: 'before-traffic',
    view: 'sign-in/text-messages',
    show: untilText('123456'),
  },
  { name: 'passkeys', moment: 'before-traffic', view: 'sign-in/passkeys', show: untilText('SHA-256') },
  { name: 'domains', moment: 'before-traffic', view: 'sign-in/domains', show: untilText('localhost') },
  { name: 'passwords', moment: 'before-traffic', view: 'sign-in/passwords', show: untilField },
  { name: 'factors', moment: 'before-traffic', view: 'sign-in/second-factor', show: untilField },
  { name: 'mail-server', moment: 'before-traffic', view: 'sign-in/mail', show: untilField },
  { name: 'functions', moment: 'before-traffic', view: 'sign-in/functions', show: untilField },
  { name: 'look', moment: 'before-traffic', view: 'sign-in/look', show: untilField },
  { name: 'captcha', moment: 'before-traffic', view: 'sign-in/captcha', show: untilText('captcha_missing') },
  {
    name: 'activity',
    moment: 'in-traffic',
    view: 'activity',
    show: (page) => page.locator('.MuiLineElement-root, .MuiChartsSurface-root path').first().waitFor(),
  },
  { name: 'connections', moment: 'in-traffic', view: 'activity/connections', show: untilText('127.0.0.1') },
  {
    name: 'queries',
    moment: 'in-traffic',
    view: 'activity/queries',
    show: (page) => selectedTab(page).waitFor(),
  },
  { name: 'paths', moment: 'in-traffic', view: 'activity/paths', show: untilText('presence') },
  {
    name: 'server',
    moment: 'in-traffic',
    view: 'activity/server',
    show: (page) => selectedTab(page).waitFor(),
  },
  {
    name: 'audit',
    moment: 'before-traffic',
    view: 'activity/audit',
    async show(page) {
      await selectedTab(page).waitFor();
      await untilText('Accounts imported')(page);
    },
  },
  {
    name: 'popup-handler',
    moment: 'before-traffic',
    view: HANDLER,
    show: untilText('bruno@example.com'),
  },
  {
    name: 'hosted-sign-in',
    moment: 'before-traffic',
    view: HOSTED,
    show: (page) => page.locator('input[type=password]').waitFor(),
  },
  {
    name: 'hosted-account',
    moment: 'after-traffic',
    view: `${HOSTED}&screen=account`,
    show: signInToAccount,
  },
  {
    name: 'members',
    moment: 'as-member',
    view: 'settings/members',
    show: untilText('grace@example.com'),
  },
  {
    name: 'tenants',
    moment: 'as-member',
    view: 'settings/tenants',
    show: (page) => selectedTab(page).waitFor(),
  },
  {
    name: 'databases',
    moment: 'as-member',
    view: 'settings/databases',
    show: (page) => selectedTab(page).waitFor(),
  },
  {
    name: 'second-factor',
    moment: 'as-new-member',
    view: '',
    show: (page) => page.getByRole('listitem').first().waitFor(),
  },
];

/** Returns the address of a page on a server. */
export function addressOf(serverUrl: string, { view }: Pick<Screen, 'view'>): string {
  if (view.startsWith('/')) return `${serverUrl}${view}`;
  return `${serverUrl}/console/projects/${PROJECT}${view === '' ? '' : `/${view}`}`;
}
