import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PollQueue } from './long-poll-queue.ts';
import { RecordingPoll } from './recording-poll.fixture.ts';

const HOLD_MS = 20_000;

let queue: PollQueue;
let sent: number;
let abandoned: number;

beforeEach(() => {
  vi.useFakeTimers();
  sent = 0;
  abandoned = 0;
  queue = new PollQueue({
    holdMs: HOLD_MS,
    onSent: () => {
      sent++;
    },
    onAbandoned: () => {
      abandoned++;
    },
  });
});

afterEach(() => {
  vi.useRealTimers();
});

function add(): RecordingPoll {
  const poll = new RecordingPoll();
  queue.add(poll);
  return poll;
}

test('[W129][W134] the first answer has number 0 and comes after the commands of the start', () => {
  queue.send(['1']);
  const poll = new RecordingPoll();
  queue.start(poll, 'begin();');
  expect(poll.script).toBe('begin();pRTLPCB(0,[1]);');
});

test('[W134][W135] what there is to be told goes with one poll, the one that waits or the next', () => {
  const first = add();
  expect(first.script).toBeUndefined();
  queue.send(['1', '2']);
  queue.send(['3']);
  queue.send(['4']);
  expect([first.script, add().script]).toEqual(['pRTLPCB(0,[1,2]);', 'pRTLPCB(1,[3,4]);']);
  expect(add().script).toBeUndefined();
});

test('[W136] all polls but the latest are released, the oldest first', () => {
  const [first, second, third] = [add(), add(), add()];
  queue.releaseEarlier();
  expect([first.script, second.script, third.script]).toEqual([
    'pRTLPCB(0,[]);',
    'pRTLPCB(1,[]);',
    undefined,
  ]);
});

test('[W170] all polls are released', () => {
  const polls = [add(), add()];
  queue.releaseAll();
  expect(polls.map(({ script }) => script)).toEqual(['pRTLPCB(0,[]);', 'pRTLPCB(1,[]);']);
});

test('[W137] a poll that has waited for so long is released', () => {
  const poll = add();
  vi.advanceTimersByTime(HOLD_MS - 1);
  expect(poll.script).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(poll.script).toBe('pRTLPCB(0,[]);');
  expect(vi.getTimerCount()).toBe(0);
});

test('[W153] a poll whose client has gone away takes nothing with it', () => {
  add().close();
  queue.send(['1']);
  expect(add().script).toBe('pRTLPCB(0,[1]);');
  expect(abandoned).toBe(1);
});

test('[W153] a client that has another poll waiting, or was answered, has not gone away', () => {
  const first = add();
  const second = add();
  first.close();
  queue.send(['1']);
  second.close();
  expect(abandoned).toBe(0);
});

test('[W150] what waits counts until its answer has left', () => {
  queue.send(['123', '456']);
  expect(queue.waitingUnits).toBe(6);
  const poll = add();
  expect(queue.waitingUnits).toBe('pRTLPCB(0,[123,456]);'.length);
  expect(sent).toBe(0);
  poll.close();
  expect([queue.waitingUnits, sent]).toEqual([0, 1]);
});

test('[W160][W161] the last answer says so, and after it every poll is told the same', () => {
  queue.start(new RecordingPoll(), '');
  const [earlier, latest] = [add(), add()];
  queue.end('"n"');
  expect([earlier.script, latest.script]).toEqual([
    'pRTLPCB(1,[]);',
    `pRTLPCB(2,["n"]);pLPCommand('close',2);`,
  ]);
  expect(add().script).toBe(`pLPCommand('close',2);`);
});

test('[W160] the last answer waits for a poll, and brings what is left', () => {
  queue.start(new RecordingPoll(), '');
  queue.send(['1']);
  queue.end('"n"');
  expect(add().script).toBe(`pRTLPCB(1,[1,"n"]);pLPCommand('close',1);`);
});

test('[W149] polls that wait are told of the end, and what was not sent is dropped', () => {
  queue.send(['1']);
  queue.close();
  expect(queue.waitingUnits).toBe(0);
  const other = new PollQueue({ holdMs: HOLD_MS, onSent: () => undefined, onAbandoned: () => undefined });
  const polls = [new RecordingPoll(), new RecordingPoll()];
  for (const poll of polls) other.add(poll);
  other.close();
  expect(polls.map(({ script }) => script)).toEqual([`pLPCommand('close');`, `pLPCommand('close');`]);
  expect(vi.getTimerCount()).toBe(0);
  const late = new RecordingPoll();
  other.add(late);
  expect(late.script).toBe(`pLPCommand('close');`);
});
