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

test('[W129][W134] the first response has number 0 and follows the commands of the start', () => {
  queue.send(['1']);
  const poll = new RecordingPoll();
  queue.start(poll, 'begin();');
  expect(poll.script).toBe('begin();pRTLPCB(0,[1]);');
});

test('[W134][W135] waiting messages are sent with one poll, the waiting one or the next', () => {
  const first = add();
  expect(first.script).toBeUndefined();
  queue.send(['1', '2']);
  queue.send(['3']);
  queue.send(['4']);
  expect([first.script, add().script]).toEqual(['pRTLPCB(0,[1,2]);', 'pRTLPCB(1,[3,4]);']);
  expect(add().script).toBeUndefined();
});

test('[W136] all polls but the latest are released, oldest first', () => {
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

test('[W137] a poll is released after 20 s', () => {
  const poll = add();
  vi.advanceTimersByTime(HOLD_MS - 1);
  expect(poll.script).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(poll.script).toBe('pRTLPCB(0,[]);');
  expect(vi.getTimerCount()).toBe(0);
});

test('[W153] messages after an aborted poll are sent with the next poll', () => {
  add().close();
  queue.send(['1']);
  expect(add().script).toBe('pRTLPCB(0,[1]);');
  expect(abandoned).toBe(1);
});

test('[W153] a client with another waiting poll, or an answered one, has not disconnected', () => {
  const first = add();
  const second = add();
  first.close();
  queue.send(['1']);
  second.close();
  expect(abandoned).toBe(0);
});

test('[W150] messages count as waiting until their response is sent', () => {
  queue.send(['123', '456']);
  expect(queue.waitingUnits).toBe(6);
  const poll = add();
  expect(queue.waitingUnits).toBe('pRTLPCB(0,[123,456]);'.length);
  expect(sent).toBe(0);
  poll.close();
  expect([queue.waitingUnits, sent]).toEqual([0, 1]);
});

test('[W160][W161] the last response contains a close, and so does each response after it', () => {
  queue.start(new RecordingPoll(), '');
  const [earlier, latest] = [add(), add()];
  queue.end('"n"');
  expect([earlier.script, latest.script]).toEqual([
    'pRTLPCB(1,[]);',
    `pRTLPCB(2,["n"]);pLPCommand('close',2);`,
  ]);
  expect(add().script).toBe(`pLPCommand('close',2);`);
});

test('[W160] the last response waits for a poll and contains the waiting messages', () => {
  queue.start(new RecordingPoll(), '');
  queue.send(['1']);
  queue.end('"n"');
  expect(add().script).toBe(`pRTLPCB(1,[1,"n"]);pLPCommand('close',1);`);
});

test('[W149] waiting polls receive the close, and unsent messages are dropped', () => {
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
