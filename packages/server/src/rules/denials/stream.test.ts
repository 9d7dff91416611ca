import { expect, test } from 'vitest';
import { feedSourceContract } from '../../http/feed.contract.ts';
import { type DenialSummary, FollowedLogs, MAX_HELD } from './search.ts';
import { DenialFeed } from './stream.ts';

function denial(id: number): DenialSummary {
  return {
    id,
    timeMs: 0,
    operation: 'put',
    paths: [`/rooms/r${id}`],
    pathCount: 1,
    identity: { kind: 'guest' },
    query: null,
    rulesHash: '',
    cut: 'nothing',
    rule: null,
    reason: null,
    hasValues: false,
  };
}

function denials(from: number, count: number): readonly DenialSummary[] {
  return Array.from({ length: count }, (_, index) => denial(from + index));
}

/** Returns the next event: its name, and the ids in it. */
function nextEvent(feed: DenialFeed) {
  const step = feed.next();
  if (step.kind === 'wait') return undefined;
  const [event = '', data = ''] = Buffer.concat([...step.parts])
    .toString()
    .split('\n');
  const reported = JSON.parse(data.slice('data: '.length)) as {
    readonly denials: readonly DenialSummary[];
    readonly sampledOut: number;
  };
  return { event, ids: reported.denials.map(({ id }) => id), sampledOut: reported.sampledOut };
}

feedSourceContract('denials', async () => {
  const logs = new FollowedLogs();
  let wakes = 0;
  let id = 3;
  const source = open(logs, () => {
    wakes += 1;
  });
  return {
    source,
    change: () => logs.notify('d', denials(++id, 1), 0),
    wakes: () => wakes,
    isFollowing: () => logs.has('d'),
    pass: () => undefined,
  };
});

function open(logs: FollowedLogs, wake: () => void = () => undefined): DenialFeed {
  const page = { denials: [denial(3)], sampledOut: 0 };
  return new DenialFeed({ page, filter: {}, follower: logs.follow('d'), wake });
}

test('[H420] entries that arrive while the first page is read are sent once, and so is an entry of which only the count changes', () => {
  const logs = new FollowedLogs();
  const feed = open(logs);
  logs.notify('d', denials(2, 4), 0);
  expect(nextEvent(feed)).toEqual({ event: 'event: page', ids: [3], sampledOut: 0 });
  expect(nextEvent(feed)).toEqual({ event: 'event: denials', ids: [5, 4], sampledOut: 0 });
  expect(nextEvent(feed)).toBeUndefined();
  logs.notify('d', [], 7);
  expect(nextEvent(feed)).toEqual({ event: 'event: denials', ids: [], sampledOut: 7 });
  feed.end();
});

test('[H420] a slow reader gets the latest 200 entries, and the entries of a log without subscribers are not held', () => {
  const logs = new FollowedLogs();
  let woken = 0;
  const feed = open(logs, () => {
    woken += 1;
  });
  nextEvent(feed);
  logs.notify('d', denials(10, 150), 0);
  logs.notify('d', denials(160, 150), 0);
  logs.notify('other', denials(1, 1), 0);
  expect(woken).toBe(2);
  const { ids = [] } = nextEvent(feed) ?? {};
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([MAX_HELD, 309, 110]);
  feed.end();
  expect(logs.has('d')).toBe(false);
});
