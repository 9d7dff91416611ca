import { beforeEach, expect, test } from 'vitest';
import { encodeBatch } from './body.ts';
import { FIRST_POSITION } from './chain.ts';
import type { StopReason, View } from './follower.ts';
import { VirtualTime } from './model/virtual-time.ts';
import { ScriptedLog } from './scripted-log.fixture.ts';
import { MAX_IN_FLIGHT_MESSAGES, type Proposal, Sequencer } from './sequencer.ts';

/** A node whose records are texts. */
class TextNode {
  readonly texts: string[] = [];
  /** `+text` for a proposal that was committed, `-text` for one that was not. */
  readonly settled: string[] = [];
  readonly stopped: StopReason[] = [];
  readonly waiting: (string | null)[] = [];
  readonly committed: number[] = [];
  endedTerms = 0;
  readonly sequencer: Sequencer;

  constructor(node: string, log: ScriptedLog, time: VirtualTime, maxBodyBytes?: number) {
    const texts = this.texts;
    const view: View = {
      position: FIRST_POSITION,
      apply: (body) => texts.push(body.kind === 'batch' ? body.payload.toString() : body.kind),
    };
    this.sequencer = new Sequencer({
      node,
      incarnation: '1',
      log: log.connect(),
      view,
      proposer: { next: () => this.#next(), endTerm: () => this.#countEnd() },
      timers: time,
      maxBodyBytes,
      onCommit: ({ slot }) => this.committed.push(slot),
      onStop: (reason) => this.stopped.push(reason),
    });
  }

  /** Submits texts, one record each; `null` is a decision without effects. */
  submit(...texts: readonly (string | null)[]): void {
    this.waiting.push(...texts);
    this.sequencer.wake();
  }

  #countEnd(): void {
    this.endedTerms += 1;
  }

  #next(): Proposal | undefined {
    const text = this.waiting.shift();
    if (text === undefined) return undefined;
    return {
      body: text === null ? null : encodeBatch(Buffer.from(text)),
      settle: (isCommitted) => this.settled.push(`${isCommitted ? '+' : '-'}${text ?? 'decision'}`),
    };
  }
}

let time: VirtualTime;
let log: ScriptedLog;
let a: TextNode;
let b: TextNode;
beforeEach(() => {
  time = new VirtualTime();
  log = new ScriptedLog();
  a = new TextNode('a', log, time);
  b = new TextNode('b', log, time);
});

/** Makes a node the sequencer. */
function claim(node: TextNode): void {
  node.sequencer.claim();
  log.deliverAll();
  expect(node.sequencer.epoch).toBeGreaterThan(0);
}

/** Answers requests and lets time pass, for 20 rounds. Every test has ended its work by then. */
function settle(): void {
  for (let round = 0; round < 20; round++) {
    log.deliverAll();
    time.runUntil(() => false, time.elapsedMs() + 100 * (round + 1));
  }
}

test('[D8] an append that lands in its slot after an earlier one was rejected is dead', () => {
  claim(a);
  a.submit('A1', 'A2');
  const [first, second] = log.takeAppends();
  // The other node claims the term between the two.
  claim(b);
  expect(first?.execute()).toEqual({ kind: 'rejected', last: 2 });
  expect(second?.execute()).toEqual({ kind: 'stored' });
  expect(log.messages.length).toBe(3);
  first?.answer();
  second?.answer();
  settle();
  expect(a.settled).toEqual(['-A1', '-A2']);
  b.submit('B1');
  settle();
  a.sequencer.pull();
  settle();
  expect(a.texts).toEqual(['epoch', 'epoch', 'B1']);
  expect(b.texts).toEqual(['epoch', 'epoch', 'B1']);
});

test('[D8] a stored message is committed only when those before it are', () => {
  claim(a);
  a.submit('1', '2');
  const [first, second] = log.takeAppends();
  first?.execute();
  second?.execute();
  second?.answer();
  expect(a.settled).toEqual([]);
  first?.answer();
  expect(a.settled).toEqual(['+1', '+2']);
  expect(a.committed).toEqual([1, 2, 3]);
});

test('[D8] a message whose outcome is unknown is found in the log', () => {
  claim(a);
  a.submit('1', '2');
  const [first, second] = log.takeAppends();
  first?.execute();
  second?.execute();
  first?.answer({ kind: 'unknown' });
  expect(a.settled).toEqual([]);
  second?.answer();
  settle();
  expect(a.settled).toEqual(['+1', '+2']);
  expect(log.messages.length).toBe(3);
});

test('[D8] a lost message is appended again with the same bytes, and late copies are dead', () => {
  claim(a);
  a.submit('1', '2');
  const lost = log.takeAppends();
  for (const append of lost) append.answer({ kind: 'unknown' });
  settle();
  expect(a.settled).toEqual(['+1', '+2']);
  a.submit('3');
  settle();
  // The lost requests arrive late: first for slots that are taken, then in the next free slot.
  for (const append of lost) expect(append.execute().kind).toBe('rejected');
  log.messages.push(lost[0]?.message ?? Buffer.alloc(0));
  for (const node of [a, b]) node.sequencer.pull();
  settle();
  expect(a.texts).toEqual(['epoch', '1', '2', '3']);
  expect(b.texts).toEqual(a.texts);
});

test('[D8] while an append is not settled, nothing more is appended', () => {
  claim(a);
  a.submit('1');
  const [first] = log.takeAppends();
  first?.answer({ kind: 'unknown' });
  a.submit('2');
  expect(log.takeAppends()).toEqual([]);
  settle();
  expect(a.settled).toEqual(['+1', '+2']);
});

test('[D8] a limited number of messages is in flight', () => {
  claim(a);
  a.submit('1', '2', '3', '4', '5', '6');
  expect(log.takeAppends().length).toBe(MAX_IN_FLIGHT_MESSAGES);
});

test('[D5] a record of several messages is one proposal', () => {
  const chunked = new TextNode('c', log, time, 4);
  chunked.sequencer.claim();
  settle();
  chunked.submit('a record of many messages', 'x');
  settle();
  expect(chunked.settled).toEqual(['+a record of many messages', '+x']);
  b.sequencer.pull();
  settle();
  expect(b.texts).toEqual(['epoch', 'a record of many messages', 'x']);
});

test('[D9] a decision without effects waits for the records before it', () => {
  claim(a);
  a.submit('1', null);
  expect(a.settled).toEqual([]);
  log.deliverAll();
  expect(a.settled).toEqual(['+1', '+decision']);
  a.submit(null);
  expect(a.settled.at(-1)).toBe('+decision');
  expect(log.takeAppends()).toEqual([]);
});

test('[D9] a decision is withdrawn with the records before it', () => {
  claim(a);
  a.submit('1', null);
  const [first] = log.takeAppends();
  claim(b);
  first?.execute();
  first?.answer();
  settle();
  expect(a.settled).toEqual(['-1', '-decision']);
  expect(a.endedTerms).toBe(1);
});

test('[D8] of two nodes that claim at the same time, one gets the term', () => {
  a.sequencer.claim();
  b.sequencer.claim();
  settle();
  expect([a, b].filter(({ sequencer }) => sequencer.epoch === 1).length).toBe(1);
  expect(log.messages.length).toBe(1);
});

test('[D8] a sequencer steps down when it reads the message of another', () => {
  claim(a);
  claim(b);
  a.sequencer.receive({ slot: 2, message: log.messages[1] ?? Buffer.alloc(0) });
  expect([a.sequencer.epoch, a.endedTerms, a.texts]).toEqual([undefined, 1, ['epoch', 'epoch']]);
});

test('[D4] a message that another node sent is read from the log if it does not fit', () => {
  claim(a);
  a.submit('1', '2');
  settle();
  b.sequencer.receive({ slot: 3, message: log.messages[2] ?? Buffer.alloc(0) });
  expect(b.texts).toEqual([]);
  settle();
  expect(b.texts).toEqual(['epoch', '1', '2']);
  // A message that was sent before is ignored.
  b.sequencer.receive({ slot: 3, message: Buffer.from('other') });
  settle();
  expect(b.texts).toEqual(['epoch', '1', '2']);
});

test('[D4] many dead messages in a row do not hold up a node', () => {
  claim(a);
  for (let index = 0; index < 500; index++) log.messages.push(Buffer.from('dead'));
  a.submit('1');
  settle();
  for (let round = 0; round < 20; round++) {
    b.sequencer.pull();
    settle();
  }
  expect(a.settled).toEqual(['+1']);
  expect(b.texts).toEqual(['epoch', '1']);
  expect(b.sequencer.follower.deadMessages).toBe(500);
});

test('[D11] a node whose last message is another one in the log stops', () => {
  claim(a);
  a.submit('1', '2');
  settle();
  log.messages.length = 1;
  claim(b);
  b.submit('other', 'and', 'more');
  settle();
  a.sequencer.pull();
  settle();
  expect(a.stopped).toEqual([{ kind: 'forked', slot: 3 }]);
  expect(a.sequencer.epoch).toBeUndefined();
  expect(a.texts).toEqual(['epoch', '1', '2']);
  // The stopped node neither reads nor claims.
  a.sequencer.claim();
  a.sequencer.receive({ slot: 4, message: log.messages[3] ?? Buffer.alloc(0) });
  settle();
  expect([a.sequencer.epoch, a.texts.length]).toEqual([undefined, 3]);
});

test('[D11] a node stops if the log does not have its next message any more', () => {
  claim(a);
  a.submit('1', '2');
  settle();
  log.first = 3;
  b.sequencer.pull();
  settle();
  expect(b.stopped).toEqual([{ kind: 'trimmed', first: 3 }]);
});

test('[D11] a node stops if the log ends before its last valid message for more than ten seconds', () => {
  const pull = (count: number): void => {
    for (let left = count; left > 0; left--) {
      a.sequencer.pull();
      settle();
    }
  };
  const wait = (ms: number): void => {
    let isOver = false;
    time.after(ms, () => {
      isOver = true;
    });
    time.runUntil(() => isOver, time.elapsedMs() + ms);
  };
  claim(a);
  a.submit('1', '2');
  settle();
  const all = log.messages.slice();
  for (const length of [1, 0]) {
    log.messages.length = length;
    pull(10);
    wait(9_000);
    pull(1);
    expect(a.stopped).toEqual([]);
    // The servers were only behind.
    log.messages.splice(0, length, ...all);
    pull(1);
  }
  log.messages.length = 1;
  pull(10);
  wait(11_000);
  pull(1);
  expect(a.stopped).toEqual([{ kind: 'rewound', last: 1, validSlot: 3 }]);
  expect(a.sequencer.epoch).toBeUndefined();
});

test('[D7] a node stops at a valid message that it cannot read', () => {
  claim(a);
  a.submit('1');
  const [append] = log.takeAppends();
  append?.message.writeUInt8(9, 1);
  append?.execute();
  b.sequencer.pull();
  settle();
  expect(b.stopped).toEqual([{ kind: 'unreadable', slot: 2, reason: expect.stringContaining('version 9') }]);
  expect(b.texts).toEqual(['epoch']);
});
