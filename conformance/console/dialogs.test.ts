import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { Keyboard } from '../drivers/console/keyboard.ts';
import { type ConsoleMember, makeMember, signInMember } from '../drivers/console/member.ts';
import {
  expectAccessibleOverlay,
  expectFocusStays,
  holdsFocus,
  type Overlay,
} from '../drivers/console/overlay.ts';
import { type ConsoleTestBed, openConsoleTestBed } from '../drivers/console/test-bed.ts';
import type { ConsoleVisitor } from '../drivers/console/visitor.ts';
import { accountsOverlays, PEOPLE_ACCOUNTS } from './overlays/accounts-overlays.ts';
import { CLOSED_DATABASE, DATA, DATA_DATABASE, dataOverlays } from './overlays/data-overlays.ts';
import { CLOSED, OPEN, RULES_DATABASE, rulesOverlays } from './overlays/rules-overlays.ts';
import { MEMBERS, SETTINGS_OVERLAYS } from './overlays/settings-overlays.ts';
import { MEMBER_OVERLAYS, SHELL_OVERLAYS } from './overlays/shell-overlays.ts';

const SOURCE = join(import.meta.dirname, '..', '..', 'packages/console/src');
/** Matches the source text of elements that open over a view. */
const OPENS =
  /<(?:Dialog|Menu|Popover|Drawer|SwipeableDrawer|ConfirmDialog|LazyMenu|MenuButton|Select|Autocomplete)\b|<TextField\s+select\b/g;

/** Files with such elements that no table of overlays covers: the number of elements, and the reason. */
const OTHERS: ReadonlyMap<string, readonly [number, string]> = new Map([
  ['ui/dialogs.tsx', [1, 'others are built on it']],
  ['ui/menu.tsx', [2, 'others are built on it']],
  ['app/member-gate.tsx', [1, 'in a separate test']],
  ['features/accounts/one/passkeys-card.tsx', [1, 'in a test of the view of an account']],
  [
    'features/settings/sign-in/phone/sms-statistics.tsx',
    [1, 'in a test of the view, because a country must be paused'],
  ],
  [
    'features/settings/sign-in/providers/providers.tsx',
    [1, 'in the test that removes a provider by keyboard'],
  ],
  [
    'features/settings/sign-in/providers/saml-key.tsx',
    [1, 'in the test that replaces the key by keyboard, because a provider must exist'],
  ],
  ['shell/preferences-panel.tsx', [1, 'a list of the browser itself']],
]);

const PASSWORD = 'correct horse battery';
const ACCOUNTS = '/identitytoolkit.googleapis.com/v1';

function countBy(files: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(file, (counts.get(file) ?? 0) + 1);
  return counts;
}

/** Tests the overlays one after the other in one window. */
async function tryAll(
  testBed: ConsoleTestBed,
  visitor: ConsoleVisitor,
  overlays: readonly Overlay[],
): Promise<void> {
  let view = '';
  for (const overlay of overlays) {
    if (overlay.view !== view) await visitor.page.goto(`${testBed.server.url}/console${overlay.view}`);
    try {
      await expectAccessibleOverlay(visitor, overlay);
    } catch (cause) {
      throw new Error(`${overlay.file}: ${overlay.name}`, { cause });
    }
    // Loading the view again removes what `prepare` did.
    view = overlay.prepare === undefined ? overlay.view : '';
  }
}

test('[C390] the tables in the folder overlays name everything that opens over a view', async () => {
  const files = (await readdir(SOURCE, { recursive: true })).filter((file) => file.endsWith('.tsx'));
  const never = () => Promise.resolve();
  const named = countBy(
    [
      ...accountsOverlays(''),
      ...dataOverlays(never),
      ...rulesOverlays(never),
      ...SETTINGS_OVERLAYS,
      ...SHELL_OVERLAYS,
      ...MEMBER_OVERLAYS,
    ].map(({ file }) => file),
  );
  for (const file of files) {
    const count = (await readFile(join(SOURCE, file), 'utf8')).match(OPENS)?.length ?? 0;
    const tried = (named.get(file) ?? 0) + (OTHERS.get(file)?.[0] ?? 0);
    expect(tried >= count, `${file} has ${count}, of which ${tried} are tested`).toBe(true);
  }
  expect(files).toEqual(expect.arrayContaining([...named.keys(), ...OTHERS.keys()]));
});

/** A test of dozens of overlays takes long on a busy machine. */
const SLOW = { timeout: 300_000 };

describe('without sign-in', SLOW, () => {
  const testBed = openConsoleTestBed();

  beforeAll(async () => {
    await testBed.admin('PUT', `/.json?ns=${DATA_DATABASE}`, DATA);
    await testBed.admin('PUT', `/.json?ns=${CLOSED_DATABASE}`, DATA);
    await publish(CLOSED, CLOSED_DATABASE);
    for (const source of [CLOSED, OPEN]) await publish(source);
    await testBed.admin('POST', '/v1/projects/people/accounts:batchCreate', { users: PEOPLE_ACCOUNTS });
    for (const project of ['people', 'demo'])
      await testBed.admin('POST', `/v2/projects/${project}/tenants`, { displayName: 'Acme' });
    for (const { email, role } of MEMBERS) {
      await testBed.admin('POST', '/v1/projects/demo/accounts', {
        email,
        password: PASSWORD,
        emailVerified: true,
      });
      await testBed.admin('POST', '/api/projects/demo/members', { email, role });
    }
  });

  function publish(source: string, database = RULES_DATABASE): Promise<unknown> {
    return testBed.admin('POST', `/api/databases/${database}/rules/publish`, { source });
  }

  async function tryHere(overlays: readonly Overlay[]): Promise<void> {
    await tryAll(testBed, await testBed.visit('/projects/demo'), overlays);
  }

  test('[C390] overlays of the frame work by keyboard and pass the accessibility rules', async () => {
    await tryHere(SHELL_OVERLAYS);
  });

  test('[C390] overlays of data work by keyboard and pass the accessibility rules', async () => {
    await tryHere(dataOverlays((value) => testBed.admin('PUT', `/title.json?ns=${DATA_DATABASE}`, value)));
  });

  test('[C390] overlays of rules work by keyboard and pass the accessibility rules', async () => {
    await tryHere(rulesOverlays(() => publish(CLOSED)));
  });

  test('[C390] overlays of accounts work by keyboard and pass the accessibility rules', async () => {
    // The request has no administrator credential, with which the new account would have no session.
    const made = await fetch(`${testBed.server.url}/v1/accounts:signUp?key=any`, { method: 'POST' });
    await tryHere(accountsOverlays(String(Object(await made.json()).localId)));
  });

  test('[C390] overlays of settings and activity work by keyboard and pass the accessibility rules', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${testBed.server.port}/.ws?v=5&ns=${DATA_DATABASE}`);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    await tryHere(SETTINGS_OVERLAYS);
  });
});

describe('with members who sign in', SLOW, () => {
  const testBed = openConsoleTestBed({ command: 'serve', args: ['--public-url', 'http://127.0.0.1'] });
  let owner: ConsoleMember;

  beforeAll(async () => {
    await testBed.admin('POST', '/api/projects', { id: 'hats' });
    await testBed.admin('POST', '/api/projects/hats/service-accounts/admin/keys', {});
    owner = await makeMember(testBed, 'hats', { role: 'owner' });
  });

  test('[C390] overlays of members and owners, and the sign-in over a view, work by keyboard and pass the accessibility rules', async () => {
    const visitor = await testBed.visit('/projects/hats/settings/keys');
    const { page } = visitor;
    await signInMember(page, owner);
    await tryAll(testBed, visitor, MEMBER_OVERLAYS);
    await testBed.admin('POST', `${ACCOUNTS}/projects/hats/accounts:update`, {
      localId: owner.uid,
      validSince: String(Math.floor(Date.now() / 1_000) + 1),
    });
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    const gate = page.getByRole('dialog', { name: 'Sign-in' });
    await gate.waitFor();
    await expect.poll(() => holdsFocus(gate)).toBe(true);
    await expectFocusStays(new Keyboard(page), gate);
  });
});
