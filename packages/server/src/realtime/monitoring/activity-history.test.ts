import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { ROOT } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { ADMIN } from '../../access/principal.ts';
import { feedSourceContract } from '../../http/feed.contract.ts';
import { LiveFeeds } from '../../http/feed.ts';
import { openTestPool, TEST_HOLDER } from '../../platform/pools.fixture.ts';
import { ActivityFeed, ActivityHistory } from './activity-history.ts';
import { DatabaseActivity } from './database-activity.ts';
import { openSeries } from './series/series.fixture.ts';

const NO_RULES = parseRules('{"rules":{}}').root;

feedSourceContract('activity', async () => {
  const activity = new DatabaseActivity(() => 0);
  let wakes = 0;
  const source = new ActivityFeed(activity, () => {
    wakes += 1;
  });
  return {
    source,
    change() {
      activity.recordRead(ROOT, NO_RULES);
      activity.tick(1_000, true, () => undefined);
    },
    wakes: () => wakes,
    isFollowing: () => activity.isWatched,
    pass: () => undefined,
  };
});

function openActivityHistory(count: number) {
  const all = Array.from({ length: count }, () => new DatabaseActivity(() => 0));
  const clock = { nowMs: () => 1_000, elapsedMs: () => 0 };
  const [first = new DatabaseActivity(() => 0)] = all;
  const feeds = new LiveFeeds({ clock, places: openTestPool(), maxOfDatabase: 10 });
  const activityHistory = new ActivityHistory({
    clock,
    feeds,
    activities: () => all.map((activity, index) => [`d${index}`, activity] as const),
    find: () => first,
    series: openSeries(1_000).series,
  });
  return { activityHistory, all, first };
}

test('[H435] a feed begins with the history and continues with the latest sample', async () => {
  const { activityHistory, first } = openActivityHistory(1);
  const feed = activityHistory.follow(ADMIN, TEST_HOLDER, 'demo');
  const nextText = async (): Promise<string> => String((await feed.next()).value);
  expect(await nextText()).toBe('event: history\ndata: {"sampleSec":5,"connections":0,"samples":[]}\n\n');
  const waiting = nextText();
  first.recordRead(ROOT, NO_RULES);
  activityHistory.tick();
  expect(await waiting).toMatch(/^event: sample\ndata: \{"timeMs":1000,"reads":1,/);
  activityHistory.tick();
  first.recordRead(ROOT, NO_RULES);
  first.recordRead(ROOT, NO_RULES);
  activityHistory.tick();
  expect(await nextText()).toContain('"reads":2');
  await feed.return();
  expect(first.isWatched).toBe(false);
});

test('[H438] the histories of at most 1,000 databases are kept', () => {
  const { activityHistory, all } = openActivityHistory(1_001);
  for (const activity of all) activity.recordRead(ROOT, NO_RULES);
  activityHistory.tick();
  expect(all.filter(({ hasHistory }) => hasHistory)).toHaveLength(1_000);
});
