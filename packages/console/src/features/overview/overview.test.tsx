import { describe, expect, onTestFinished, test } from 'vitest';
import type { Loadable } from '../../api/query-state.ts';
import { ENGLISH, mountView } from '../../ui/mounted-view.fixture.tsx';
import { AttentionView } from './attention.tsx';
import { BusiestPathsView } from './busiest-paths.tsx';
import { Contents } from './contents.tsx';
import { LiveCardsView } from './live-cards.tsx';
import { ACTIVITIES, ATTENTION, BUSIEST_PATHS, PAGE, RECENT_CHANGES } from './overview.fixtures.ts';
import { RecentChangesView } from './recent-changes.tsx';

const DATABASE = 'demo-default-rtdb';

/** Returns the text of each link in a view, and its address without the project. */
function linksIn(view: HTMLElement): readonly (readonly [text: string, address: string])[] {
  return [...view.querySelectorAll('a')].map((link) => [
    link.textContent ?? '',
    (link.getAttribute('href') ?? '').replace('/projects/demo', ''),
  ]);
}

async function expectText(view: HTMLElement, text: string): Promise<void> {
  await expect.poll(() => view.textContent).toContain(text);
}

describe.each([
  ['problems', ATTENTION, (of: Loadable<never>) => <AttentionView database={DATABASE} problems={of} />],
  ['changes', RECENT_CHANGES, (of: Loadable<never>) => <RecentChangesView database={DATABASE} recent={of} />],
  ['paths', BUSIEST_PATHS, (of: Loadable<never>) => <BusiestPathsView database={DATABASE} paths={of} />],
])('%s', (_part, { loading, forbidden, failed }, draw) => {
  test('[C468] loading is shown as rows without content', async () => {
    const view = await mountView(draw(loading));
    await expect
      .poll(() => view.querySelector('[role=progressbar]')?.getAttribute('aria-label'))
      .toBe('Loading');
    expect(view.querySelectorAll('.MuiSkeleton-root')).toHaveLength(5);
  });

  test('[C468] without permission, the part says so and offers no retry', async () => {
    const view = await mountView(draw(forbidden));
    await expectText(view, forbidden.error.message);
    expect(view.querySelector('button')).toBeNull();
  });

  test('[C468] after an error, the part can be loaded again', async () => {
    let retries = 0;
    const view = await mountView(draw({ ...failed, retry: () => void retries++ }));
    await expectText(view, failed.error.message);
    view.querySelector('button')?.click();
    expect(retries).toBe(1);
  });
});

test('[C465] each problem is a sentence with its severity and a link to the view with the details', async () => {
  const view = await mountView(<AttentionView database={DATABASE} problems={ATTENTION.ready} />);
  await expect
    .poll(() => linksIn(view))
    .toEqual([
      ['Everyone can read all data.', `/rules/${DATABASE}/edit`],
      ['Only 4% of the disk is free.', '/activity/server'],
      [
        '42 requests were denied in the last hour, most often by .read /users/$uid.',
        `/rules/${DATABASE}/denials`,
      ],
      ['1 query has no index and scans all children.', `/activity/queries?database=${DATABASE}`],
      ['The server paused for up to 128 ms in the last 15 seconds.', '/activity/server'],
      ['3 emails could not be delivered.', '/sign-in/mail'],
      ['No rules are published yet, so apps have no access.', `/rules/${DATABASE}/edit`],
    ]);
  expect([...view.querySelectorAll('li title')].map(({ textContent }) => textContent)).toEqual([
    'Serious',
    'Serious',
    'Warning',
    'Warning',
    'Warning',
    'Warning',
    'Note',
  ]);
});

test('[C465] without problems, the part says that nothing needs attention', async () => {
  const view = await mountView(<AttentionView database={DATABASE} problems={ATTENTION.calm} />);
  await expectText(view, 'Nothing needs attention.');
  expect(linksIn(view)).toEqual([]);
});

test('[C467] each change has its actor, and links to the version, the account or the audit entry', async () => {
  const view = await mountView(<RecentChangesView database={DATABASE} recent={RECENT_CHANGES.ready} />);
  await expect
    .poll(() => linksIn(view))
    .toEqual([
      ['Audit log', '/activity/audit'],
      ['Account created', '/accounts/u-bob'],
      ['Rules version 3 published', `/rules/${DATABASE}/versions/3`],
      ['Account deleted', '/activity/audit?event=account_deleted&requestId=r1'],
      ['Sign-in settings changed', '/activity/audit?event=config_changed&requestId=r1'],
      ['Rules rolled back to version 1', `/rules/${DATABASE}/versions/2`],
    ]);
  const details = [...view.querySelectorAll('li time')].map(({ parentElement }) =>
    parentElement?.textContent?.replace(/^.*? ago/, ''),
  );
  expect(details).toEqual([
    ' · ann@example.com · u-bob',
    ' · ann@example.com · Validate messages',
    ' · ann@example.com · u-bob',
    ' · Administrator',
    ' · Administrator',
  ]);
});

test.each([
  ['en', 'Accounts: 4, rejected: 1'],
  ['de', 'Konten: 4, abgelehnt: 1'],
] as const)(
  '[C467] in %s, the numbers of an import are in the language of the console',
  async (language, text) => {
    const [change] = RECENT_CHANGES.ready.data.changes;
    if (change?.kind !== 'event') throw new Error('The first change is not an event.');
    const entry = { ...change.entry, uid: null, detail: '4 accounts, 1 rejected' };
    const recent: typeof RECENT_CHANGES.ready = {
      kind: 'ready',
      data: { changes: [{ ...change, event: 'accounts_imported', entry }], names: new Map() },
    };
    const view = await mountView(<RecentChangesView database={DATABASE} recent={recent} />, {
      ...ENGLISH,
      language,
    });
    await expectText(view, text);
  },
);

test('[C467] without changes, the part says so', async () => {
  const view = await mountView(<RecentChangesView database={DATABASE} recent={RECENT_CHANGES.none} />);
  await expectText(view, 'No administrative changes yet.');
});

test('[C39] the busiest paths link to the deepest node above their wildcards', async () => {
  const view = await mountView(<BusiestPathsView database={DATABASE} paths={BUSIEST_PATHS.ready} />);
  await expect
    .poll(() => linksIn(view))
    .toEqual([
      ['All paths', `/activity/paths?database=${DATABASE}`],
      ['/rooms/$room/messages', `/data/${DATABASE}/rooms`],
      ['/users/*', `/data/${DATABASE}/users`],
    ]);
  expect([...view.querySelectorAll('ol')].map((list) => list.getAttribute('aria-label'))).toEqual(['Reads']);
  expect(view.textContent).toContain('2,196');
  expect(view.textContent).toContain('No recent activity');
});

test('[C39] the first children are shown with their values or their number of children', async () => {
  const view = await mountView(<Contents database={DATABASE} page={PAGE} />);
  const rows = (): readonly string[] =>
    [...view.querySelectorAll('tbody tr')].map((row) =>
      [...row.children].map(({ textContent }) => textContent).join(': '),
    );
  await expect
    .poll(rows)
    .toEqual(['motd: "Welcome"', 'rooms: 288 children', 'users: 1,000+ children', 'version: 42']);
  expect(linksIn(view).slice(1, 3)).toEqual([
    ['motd', `/data/${DATABASE}/motd`],
    ['rooms', `/data/${DATABASE}/rooms`],
  ]);
});

test('[C39] a single value is shown as the content, and a long list says that there are more children', async () => {
  const value = { ...PAGE, node: { kind: 'string', value: 'tea', priority: null } as const, children: [] };
  const view = await mountView(<Contents database={DATABASE} page={value} />);
  await expectText(view, '"tea"');
  const long = await mountView(<Contents database={DATABASE} page={{ ...PAGE, next: 'version' }} />);
  await expectText(long, 'More children are in Data.');
});

describe('live activity', () => {
  test('[C464] each card has its current values, a chart with its range, and a link', async () => {
    const view = await mountView(<LiveCardsView database={DATABASE} activity={ACTIVITIES.ready} />);
    await expect
      .poll(() => linksIn(view).map(([, address]) => address))
      .toEqual([
        `/activity/live?database=${DATABASE}`,
        `/activity/live?database=${DATABASE}`,
        `/activity/connections?database=${DATABASE}`,
        `/rules/${DATABASE}/denials`,
      ]);
    const names = [...view.querySelectorAll('[role=img]')].map((chart) => chart.getAttribute('aria-label'));
    expect(names).toEqual([
      'reads: now 12/s, minimum 0/s, maximum 40/s in the last 15 minutes. ' +
        'writes: now 2/s, minimum 0/s, maximum 2/s in the last 15 minutes.',
      'p50: now 0.5 ms, minimum 0.5 ms, maximum 1.5 ms in the last 15 minutes. ' +
        'p99: now 0.5 ms, minimum 0.5 ms, maximum 1.5 ms in the last 15 minutes.',
      'connected clients: now 7, minimum 0, maximum 7 in the last 15 minutes.',
      'denied by rules: now 0.4/s, minimum 0/s, maximum 0.4/s in the last 15 minutes.',
    ]);
    expect(view.querySelector('a')?.textContent).toContain('12/sreads');
  });

  test('[C464] without activity, a dash stands for the latency and its maximum', async () => {
    const view = await mountView(<LiveCardsView database={DATABASE} activity={ACTIVITIES.idle} />);
    await expectText(view, 'max \u2068–\u2069');
    expect(view.querySelectorAll('a')[1]?.textContent).toContain('–p50–p99');
  });

  test('[C468] the cards have the same height while they load and afterwards', async () => {
    const heightOf = async (state: keyof typeof ACTIVITIES): Promise<number | undefined> => {
      const view = await mountView(<LiveCardsView database={DATABASE} activity={ACTIVITIES[state]} />);
      await expect.poll(() => view.querySelector('section')).not.toBeNull();
      return view.querySelector('section')?.offsetHeight;
    };
    expect(await heightOf('loading')).toBe(await heightOf('ready'));
  });

  test('[C468] without permission, the reason takes the place of the charts', async () => {
    const view = await mountView(<LiveCardsView database={DATABASE} activity={ACTIVITIES.forbidden} />);
    await expectText(view, 'Your role does not allow this.');
  });
});

test('[C468] in Arabic and dark colors, the code in a sentence runs from left to right', async () => {
  const view = await mountView(<AttentionView database={DATABASE} problems={ATTENTION.ready} />, {
    ...ENGLISH,
    language: 'ar',
    scheme: 'dark',
  });
  onTestFinished(() => document.documentElement.removeAttribute('dir'));
  await expect.poll(() => view.querySelector('li bdi')?.textContent).toBe('.read /users/$uid');
  expect(view.querySelector('li bdi')?.getAttribute('dir')).toBe('ltr');
});
