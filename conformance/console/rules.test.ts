import { beforeEach, expect, test } from 'vitest';
import { pointAtUndo, replaceText, rulesEditor, TRIED } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';
import { unsignedToken } from '../drivers/credentials.ts';

const testBed = openConsoleTestBed();

let database = '';
let databaseCount = 0;

/** Rules of a chat, which the tests publish first. */
const CHAT = `{
  "rules": {
    // Members alone.
    "rooms": {
      "$room": {
        ".read": "auth != null && data.child('members').hasChild(auth.uid)",
        ".write": "data.child('owner').val() === auth.uid"
      }
    }
  }
}
`;
const OPEN = '{"rules": {"rooms": {".read": "auth != null", ".write": true}}}';
const ROOM = { owner: 'alice', members: { alice: true } };

beforeEach(async () => {
  databaseCount += 1;
  database = `demo-rules-${databaseCount}`;
  await testBed.admin('PUT', `/rooms/lobby.json?ns=${database}`, ROOM);
  await publish(CHAT, 'rooms have members');
});

function publish(source: string, message?: string): Promise<unknown> {
  return testBed.admin('POST', `/api/databases/${database}/rules/publish`, { source, message });
}

/** Sends a request as an app; resolves to the status. */
async function requestAsApp(
  uid: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<number> {
  const auth = uid === null ? '' : `&auth=${unsignedToken(uid, Math.floor(Date.now() / 1_000))}`;
  const { status } = await fetch(`${testBed.server.url}${path}.json?ns=${database}${auth}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return status;
}

/** Resolves to the ID of the latest denial, or to `undefined` if there is no denial. */
async function readLatestDenial(): Promise<number | undefined> {
  const page = await testBed.admin('GET', `/api/databases/${database}/denials`);
  return (page as { readonly denials: readonly { readonly id: number }[] }).denials[0]?.id;
}

function view(tab: string): string {
  return `/projects/demo/rules/${database}/${tab}`;
}

async function readCurrentSource(): Promise<string> {
  const response = await fetch(`${testBed.server.url}/.settings/rules.json?ns=${database}`, {
    headers: { authorization: 'Bearer owner' },
  });
  return response.text();
}

test('[C130][C131] the rules open in an editor that highlights their language, and each tab has an address', async () => {
  const visitor = await testBed.visit(view('edit'));
  const { page } = visitor;
  const editor = rulesEditor(page);
  await editor.getByText('".read"').waitFor();
  const readColors = (content: Element) => {
    const spans = [...content.querySelectorAll('span')];
    const colorOf = (text: string) => {
      const span = spans.find((one) => one.textContent === text);
      return span === undefined ? text : getComputedStyle(span).color;
    };
    return ['".read"', 'auth', "'members'", 'null', '// Members alone.'].map(colorOf);
  };
  await expect.poll(async () => new Set(await editor.evaluate(readColors)).size).toBe(5);
  await visitor.expectAccessible();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.waitForURL(`**${view('versions')}`);
  await page.getByText('rooms have members').waitFor();
});

test('[C132] the editor completes variables, wildcards and members while the user types', async () => {
  const { page } = await testBed.visit(view('edit'));
  const editor = rulesEditor(page);
  await replaceText(page, editor, '{"rules": {"$room": {".read": ""}}}');
  await page.keyboard.press('ControlOrMeta+End');
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('da');
  await page.getByRole('option', { name: /^data/ }).waitFor();
  // Closes the list of completions, so that the next keys select none of them.
  await page.keyboard.press('Escape');
  await page.keyboard.type('ta.');
  await page.getByRole('option', { name: /^hasChildren/ }).waitFor();
  await page.keyboard.type('ex');
  await page.getByRole('option', { name: /^exists/, selected: true }).waitFor();
  // The editor ignores keys for a completion that has just appeared.
  await page.waitForTimeout(300);
  await page.keyboard.press('Enter');
  await expect.poll(() => editor.textContent()).toContain('data.exists()');
  await page.keyboard.type(' && $r');
  await page.getByRole('option', { name: /^\$room/ }).waitFor();
});

test('[C133] problems are listed while the user types, and prevent publishing the draft', async () => {
  const { page } = await testBed.visit(view('edit'));
  const editor = rulesEditor(page);
  await replaceText(page, editor, CHAT.replace('data.child', 'dta.child'));
  const problem = page
    .getByRole('region', { name: 'Problems' })
    .getByRole('button', { name: /Unknown variable 'dta'/ });
  await problem.waitFor();
  expect(await problem.textContent()).toContain('6:35');
  expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
  await problem.press('Enter');
  await expect.poll(() => editor.evaluate((content) => content === document.activeElement)).toBe(true);
});

test('[C134][C135] a draft is formatted, kept when the page is loaded again, discarded and restored', async () => {
  const { page } = await testBed.visit(view('edit'));
  const editor = rulesEditor(page);
  await replaceText(page, editor, '{"rules":{".read":true, /* all */ ".write":false}}');
  await page.getByText('stored in this browser').waitFor();
  await page.getByRole('button', { name: 'Format' }).click();
  await page.reload();
  await editor.getByText('/* all */').waitFor();
  expect(await editor.locator('.cm-line').allTextContents()).toEqual([
    '{',
    '  "rules": {',
    '    ".read": true, /* all */',
    '    ".write": false',
    '  }',
    '}',
    '',
  ]);
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await editor.getByText('// Members alone.').waitFor();
  await pointAtUndo(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await editor.getByText('/* all */').waitFor();
});

test('[C136] publishing by keyboard alone shows the changes and the results that would differ', async () => {
  expect(await requestAsApp('alice', 'GET', '/rooms/lobby')).toBe(200);
  expect(await requestAsApp('carol', 'GET', '/rooms/lobby')).toBe(401);
  const visitor = await testBed.visit(view('edit'));
  const { page } = visitor;
  await replaceText(page, rulesEditor(page), OPEN);
  await expect.poll(() => page.getByRole('button', { name: 'Publish' }).isEnabled()).toBe(true);
  await page.keyboard.press('ControlOrMeta+s');
  const dialog = page.getByRole('dialog', { name: /^Publish the rules/ });
  await dialog.getByText('1 of 2 recent operations would have a different result').waitFor();
  await dialog.getByText('1 was denied and would be allowed').waitFor();
  await visitor.expectAccessible();
  await dialog.getByLabel('Message').focus();
  await page.keyboard.type('open rooms');
  await page.keyboard.press('Enter');
  await page.getByText('Version 2 published.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(await readCurrentSource()).toBe(OPEN);
  await page.getByText('Draft', { exact: true }).waitFor({ state: 'detached' });
});

test('[C137] the second of two users who publish must merge both versions first', async () => {
  const { page } = await testBed.visit(view('edit'));
  await replaceText(
    page,
    rulesEditor(page),
    CHAT.replace('// Members alone.', '// Members alone, said mine.'),
  );
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: /^Publish the rules/ });
  await dialog.getByText(TRIED).first().waitFor();
  await publish(CHAT.replace('=== auth.uid', '=== auth.uid && auth != null'), 'theirs');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  const merge = page.getByRole('dialog', { name: 'Your draft and version 2' });
  await merge.getByRole('button', { name: 'Keep mine' }).first().press('Enter');
  await merge.getByRole('button', { name: 'Keep theirs' }).press('Enter');
  await merge.getByRole('button', { name: 'Keep theirs' }).waitFor({ state: 'detached' });
  await merge.getByRole('button', { name: 'Continue with this draft' }).press('Enter');
  await merge.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Publish' }).click();
  await dialog.getByRole('button', { name: /^Publish/ }).click();
  await page.getByText('Version 3 published.').waitFor();
  const merged = await readCurrentSource();
  expect(merged).toContain('said mine');
  expect(merged).toContain('=== auth.uid && auth != null');
});

test('[C138] a publication without a response keeps the draft and can be repeated', async () => {
  const { page } = await testBed.visit(view('edit'));
  await replaceText(page, rulesEditor(page), OPEN);
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: /^Publish the rules/ });
  // The rules are published, but the response is lost.
  await page.route('**/rules/publish', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: /^Publish/ }).click();
  await dialog.getByText('the rules may or may not be published', { exact: false }).waitFor();
  await page.unroute('**/rules/publish');
  await dialog.getByRole('button', { name: /^Publish/ }).click();
  await page.getByText('Version 2 published.').waitFor();
});

test('[C135] the draft is kept when the session ends, and the page reports the end', async () => {
  const { page } = await testBed.visit(view('edit'));
  await replaceText(page, rulesEditor(page), OPEN);
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: /^Publish the rules/ });
  await page.route('**/rules/publish', (route) =>
    route.fulfill({ status: 401, json: { error: 'The session is over.' } }),
  );
  await dialog.getByRole('button', { name: /^Publish/ }).click();
  await dialog.getByText('The session is over.').waitFor();
  await page.reload();
  await rulesEditor(page).getByText('".write"').waitFor();
  await page.getByText('Draft', { exact: true }).waitFor();
});

test('[C139][C140] a version shows its changes, and is published again', async () => {
  await publish(OPEN, 'open for the party');
  const visitor = await testBed.visit(`${view('versions')}/1`);
  const { page } = visitor;
  await page.getByRole('button', { name: 'Compared with current' }).click();
  await page.waitForURL('**?show=in-force');
  await visitor.expectAccessible();
  await page.getByRole('link', { name: /Version 2/ }).click();
  await page
    .getByRole('region', { name: 'Changes in version 2' })
    .getByText('-    // Members alone.')
    .waitFor();
  await page.getByRole('link', { name: /Version 1/ }).click();
  await page.getByRole('button', { name: 'Roll back' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Roll back to version 1?' });
  await dialog.getByText('11 lines added. 1 line removed.').waitFor();
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'Roll back' }).press('Enter');
  await page.waitForURL(`**${view('versions')}/3`);
  await page.getByRole('link', { name: /Version 3.*rules of version 1/ }).waitFor();
  expect(await readCurrentSource()).toBe(CHAT);
});

test('[C141][C142] denials appear in the list while it is open, and are filtered by path and rule', async () => {
  const visitor = await testBed.visit(view('denials'));
  const { page } = visitor;
  await page.getByText('No recent denials').waitFor();
  await requestAsApp('carol', 'GET', '/rooms/lobby');
  await requestAsApp(null, 'GET', '/elsewhere');
  await page.getByRole('link', { name: /\/rooms\/lobby/ }).waitFor();
  await page.getByLabel('At or below path').fill('/rooms');
  await page.keyboard.press('Enter');
  await page.waitForURL('**?path=%2Frooms');
  await page.getByRole('link', { name: /\/elsewhere/ }).waitFor({ state: 'detached' });
  expect(await page.getByRole('navigation', { name: 'Denials' }).getByRole('link').count()).toBe(1);
  await page.getByLabel('Rule location').fill('/nowhere');
  await page.keyboard.press('Enter');
  await page.getByText('No matching denials').waitFor();
  await visitor.expectAccessible();
});

test('[C143][C144] a denial shows the value of each part, leads to the simulator and becomes a test case', async () => {
  await requestAsApp('carol', 'GET', '/rooms/lobby');
  const visitor = await testBed.visit(view('denials'));
  const { page } = visitor;
  await page.getByRole('link', { name: /\/rooms\/lobby/ }).click();
  const trace = page.getByRole('group', { name: '.read /rooms/$room', exact: true });
  await trace
    .getByRole('group', { name: /hasChild\(auth\.uid\) is false$/ })
    .last()
    .waitFor();
  await visitor.expectAccessible();
  await trace.locator('[data-step="0"]').focus();
  await page.keyboard.press('End');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('auth.uid is "carol"');
  await page.getByText('→').first().waitFor();
  await page.getByRole('button', { name: 'Create test case' }).press('Enter');
  await page.getByText('Test case added.').waitFor();
  await page.getByRole('link', { name: 'Open in simulator' }).press('Enter');
  await page.waitForURL('**/simulator?op=read&path=%2Frooms%2Flobby**');
  await page.getByText('No rule allows this at').waitFor();
  await page.getByRole('tab', { name: 'Test cases' }).click();
  await page.getByText('1 case passes').waitFor();
});

test('[C145] a dialog sets how denials are stored', async () => {
  const visitor = await testBed.visit(view('denials'));
  const { page } = visitor;
  await page.getByRole('button', { name: 'Settings', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Denial log settings' });
  await dialog.getByLabel('Record data values').check();
  await dialog.getByLabel('Retention (days)').fill('3');
  await visitor.expectAccessible();
  await dialog.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByText('Settings saved.').waitFor();
  expect(await testBed.admin('GET', `/api/databases/${database}/denials/settings`)).toMatchObject({
    days: 3,
    keepValues: true,
  });
});

test('[C146][C147] the simulator decides with the draft or with the current rules, and a reload keeps the choice', async () => {
  const visitor = await testBed.visit(view('edit'));
  const { page } = visitor;
  await replaceText(page, rulesEditor(page), OPEN);
  await page.getByText('stored in this browser').waitFor();
  await page.getByRole('tab', { name: 'Simulator' }).click();
  await page.getByLabel('Path').fill('/rooms/lobby');
  await page.getByRole('button', { name: 'Signed-in user' }).click();
  await page.getByLabel('auth', { exact: true }).fill('{"uid": "carol"');
  await page.getByText('Not valid JSON').waitFor();
  expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true);
  await page.getByLabel('auth', { exact: true }).fill('{"uid": "carol"}');
  await page.getByRole('button', { name: 'Run' }).press('Enter');
  await page.getByText('Allowed.').waitFor();
  await page.getByRole('button', { name: 'Current' }).click();
  await page.getByRole('button', { name: 'Run' }).press('Enter');
  await page.getByText('Denied.').waitFor();
  await page.waitForURL((url) => url.searchParams.get('rules') === 'in-force');
  await visitor.expectAccessible();
  await page.reload();
  await page.getByText('Denied.').waitFor();
});

test('[C148] the simulator takes the variable auth from an account', async () => {
  await testBed.admin('POST', '/identitytoolkit.googleapis.com/v1/projects/demo/accounts', {
    localId: `alice-${databaseCount}`,
    email: `alice-${databaseCount}@example.com`,
    password: 'a long passphrase',
  });
  const { page } = await testBed.visit(view('simulator'));
  await page.getByRole('button', { name: 'Signed-in user' }).click();
  await page.getByLabel('Use an account').fill(`alice-${databaseCount}@`);
  await page.getByRole('option', { name: `alice-${databaseCount}@example.com` }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.getByLabel('auth', { exact: true }).inputValue())
    .toContain(`"uid": "alice-${databaseCount}"`);
});

test('[C149][C150] test cases run while the user types, and mark the lines that they cover', async () => {
  const visitor = await testBed.visit(view('cases'));
  const { page } = visitor;
  const file = rulesEditor(page, 'Test case file');
  const member = { as: 'alice', read: '/rooms/lobby', expect: 'allow' };
  const anonymous = { name: 'guests stay out', read: '/rooms/lobby', expect: 'allow' };
  await replaceText(
    page,
    file,
    JSON.stringify({ data: { rooms: { lobby: ROOM } }, cases: [member, anonymous] }),
  );
  await page.getByText('1 of 2 cases fails').waitFor();
  await page.getByRole('button', { name: /guests stay out/ }).press('Enter');
  await page.getByText('Expected allowed, was denied.').waitFor();
  await visitor.expectAccessible();
  await replaceText(page, file, JSON.stringify({ cases: [{ ...member, expects: 'allow' }] }));
  await page.getByRole('button', { name: /A case has no field "expects"/ }).waitFor();
  await replaceText(page, file, JSON.stringify({ data: { rooms: { lobby: ROOM } }, cases: [member] }));
  await page.getByText('1 case passes').waitFor();
  await page.getByRole('link', { name: 'Show coverage in the editor' }).click();
  await page.getByTitle('Test cases cover some conditions on this line, or only one way').waitFor();
  expect(await page.getByTitle('No test case covers this line').count()).toBe(1);
  await visitor.expectAccessible();
});

test('[C159] text typed over a selection replaces it', async () => {
  await publish(OPEN);
  const visitor = await testBed.visit(view('edit'));
  const { page } = visitor;
  const editor = rulesEditor(page);
  await editor.getByText('rooms').dblclick();
  await page.keyboard.type('halls');
  await editor.getByText('"halls"').waitFor();
  expect(await editor.textContent()).not.toContain('rooms');
  // One undo reverts only text that was typed without a pause, so several may be necessary.
  await expect
    .poll(async () => {
      await page.keyboard.press('ControlOrMeta+z');
      return editor.textContent();
    })
    .toContain('"rooms"');
  expect(visitor.complaints).toEqual([]);
});

test('[C151] a viewer sees the rules, and no button that changes them', async () => {
  await publish(OPEN);
  const visitor = await testBed.visit(view('edit'));
  const { page } = visitor;
  await page.route('**/api/session', async (route) => {
    const response = await route.fetch();
    const session = (await response.json()) as { readonly projects: readonly object[] };
    const projects = session.projects.map((project) => ({ ...project, role: 'viewer' }));
    await route.fulfill({
      response,
      json: { ...session, projects: [...projects, { id: 'demo', role: 'viewer' }] },
    });
  });
  await page.reload();
  await page.getByText('Your role can view rules but not publish them.').waitFor();
  expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
  await page.goto(`${testBed.server.url}/console${view('versions/1')}`);
  await page.getByRole('button', { name: 'Compared with current' }).waitFor();
  expect(await page.getByRole('button', { name: 'Roll back' }).count()).toBe(0);
  await page.goto(`${testBed.server.url}/console${view('denials')}`);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Retention (days)').waitFor();
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Save' }).count()).toBe(0);
  await visitor.expectAccessible();
});

test('[C152] of 300 problems, 200 are listed and the others are counted; a draft of 1 MB is reported as too long', async () => {
  const { page } = await testBed.visit(view('edit'));
  const wrong = Array.from({ length: 300 }, (_one, index) => `"r${index}": {".read": "nothing"}`).join(',\n');
  const editor = rulesEditor(page);
  await replaceText(page, editor, `{"rules": {${wrong}}}`);
  await page.getByText('300 problems').waitFor();
  await page.getByText('and 100 more problems').waitFor();
  await replaceText(page, editor, `{"rules": {} /* ${'x'.repeat(1_048_576)} */}`);
  await page.getByText('The rules are longer than 256 KB.').waitFor();
  await page.getByRole('button', { name: 'Discard draft' }).click();
  await editor.getByText('// Members alone.').waitFor();
});

test('[C153] text that would change the direction of writing is shown by its code points', async () => {
  await requestAsApp(null, 'GET', `/${encodeURIComponent('a\u202eb<img src=x>')}`);
  const visitor = await testBed.visit(view('denials'));
  await visitor.page.getByRole('link', { name: /a⟨U\+202E⟩b<img src=x>/ }).waitFor();
  expect(await visitor.page.locator('img[src="x"]').count()).toBe(0);
});

test('[C155] if operations are not recorded, the publishing dialog says so and can start the recording', async () => {
  await testBed.admin('PUT', `/api/databases/${database}/rules/recording`, { isOn: false });
  const { page } = await testBed.visit(view('edit'));
  await replaceText(page, rulesEditor(page), OPEN);
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Operations are not recorded for this database', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Start recording' }).press('Enter');
  await page.getByText('No recent operations recorded', { exact: false }).waitFor();
  expect(await testBed.admin('GET', `/api/databases/${database}/rules/recording`)).toMatchObject({
    isOn: true,
  });
});

const DISPLAYS = [
  ['light', {}],
  ['dark', DARK],
  ['phone', PHONE],
  ['ar', ARABIC],
] as const;

test.each(DISPLAYS)('[C154] every tab of rules passes the accessibility rules: %s', async (name, options) => {
  await requestAsApp('carol', 'GET', '/rooms/lobby');
  await publish(CHAT.replace('// Members alone.', '// Members only, again.'));
  await expect.poll(readLatestDenial).toBeDefined();
  const denial = await readLatestDenial();
  const views = {
    edit: 'edit',
    versions: 'versions',
    denials: `denials/${denial}`,
    simulator: 'simulator?op=read&path=/rooms/lobby',
    cases: 'cases',
  };
  const visitor = await testBed.visit(view('edit'), options);
  for (const [tab, address] of Object.entries(views)) {
    await visitor.page.goto(`${testBed.server.url}/console${view(address)}`);
    await visitor.page.locator('.cm-content, pre, [data-step="0"]').first().waitFor();
    await visitor.expectAccessible();
    await visitor.picture(`rules-${tab}-${name}`);
  }
});
