import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChainReader, FIRST_POSITION, isLastValid } from './chain.ts';
import { type ChainHash, encodeMessage, encodeRecord, FIRST_HASH } from './message.ts';

/** Builds a log: each record follows the valid one before it, and dead messages are put between. */
class LogBuilder {
  readonly messages: Buffer[] = [];
  hash: ChainHash = FIRST_HASH;

  /** Appends a record. With `upTo`, only its first messages. */
  record(text: string, maxBodyBytes = 100, upTo = Number.POSITIVE_INFINITY): this {
    for (const { bytes, hash } of encodeRecord(1, this.hash, Buffer.from(text), maxBodyBytes).slice(
      0,
      upTo,
    )) {
      this.messages.push(bytes);
      this.hash = hash;
    }
    return this;
  }

  dead(text: string): this {
    const prevHash = '?'.repeat(16) as ChainHash;
    this.messages.push(encodeMessage({ epoch: 9, prevHash, chunk: null, body: Buffer.from(text) }));
    return this;
  }
}

function readAll(reader: ChainReader, messages: readonly Buffer[]): readonly string[] {
  const from = reader.position.slot;
  return messages.slice(from).map((message, index) => {
    const reading = reader.read({ slot: from + index + 1, message });
    return reading.kind === 'record' ? reading.record.body.toString() : reading.kind;
  });
}

const read = ({ messages }: LogBuilder): readonly string[] =>
  readAll(new ChainReader(FIRST_POSITION), messages);

test('[D3] messages that continue the chain are records', () => {
  expect(read(new LogBuilder().record('a').record('b'))).toEqual(['a', 'b']);
});

test('[D4] a message that names another hash is dead, and the next valid message follows the last valid one', () => {
  expect(read(new LogBuilder().record('a').dead('x').dead('y').record('b'))).toEqual([
    'a',
    'dead',
    'dead',
    'b',
  ]);
});

test('[D4] bytes that are too short for a message are dead', () => {
  const log = new LogBuilder().record('a');
  log.messages.push(Buffer.from('short'));
  expect(read(log.record('b'))).toEqual(['a', 'dead', 'b']);
});

test('[D4] a dead message changes nothing but the slot', () => {
  const log = new LogBuilder().record('a');
  const reader = new ChainReader(FIRST_POSITION);
  readAll(reader, log.messages);
  const before = reader.position;
  readAll(reader, log.dead('x').messages);
  expect(reader.position).toEqual({ ...before, slot: 2 });
});

test('[D4] of two messages that follow the same one, the first is valid', () => {
  const log = new LogBuilder().record('a');
  const { hash } = log;
  log.record('first');
  const [second] = encodeRecord(2, hash, Buffer.from('second'));
  log.messages.push(second?.bytes ?? Buffer.alloc(0));
  expect(read(log.record('c'))).toEqual(['a', 'first', 'dead', 'c']);
});

test('[D5] a record of several messages takes effect at the last one', () => {
  expect(read(new LogBuilder().record('abcdef', 2))).toEqual(['chunk', 'chunk', 'abcdef']);
});

test('[D5] dead messages between the messages of a record change nothing', () => {
  const log = new LogBuilder().record('abcd', 2);
  const [first, second] = log.messages.splice(0);
  log.messages.push(first ?? Buffer.alloc(0));
  log.dead('x').messages.push(second ?? Buffer.alloc(0));
  expect(read(log)).toEqual(['chunk', 'dead', 'abcd']);
});

test.each([
  ['a whole record', (log: LogBuilder) => log.record('z'), ['z']],
  ['another record of several messages', (log: LogBuilder) => log.record('wxyz', 2), ['chunk', 'wxyz']],
  ['a message from the middle of another record', appendMiddle, ['chunk']],
])('[D5] an unfinished record is discarded by %s', (_name, append, expected) => {
  const log = new LogBuilder().record('abcdef', 2, 2);
  append(log);
  expect(read(log.record('end'))).toEqual(['chunk', 'chunk', ...expected, 'end']);
});

function appendMiddle(log: LogBuilder): void {
  const chunk = { index: 2, total: 4 };
  const body = Buffer.from('?');
  const bytes = encodeMessage({ epoch: 1, prevHash: log.hash, chunk, body });
  const reader = new ChainReader(FIRST_POSITION);
  log.messages.push(bytes);
  readAll(reader, log.messages);
  log.hash = reader.position.hash;
}

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('record' as const),
      text: fc.string({ maxLength: 9 }),
      upTo: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({
      kind: fc.constant('dead' as const),
      text: fc.string({ maxLength: 3 }),
      upTo: fc.constant(0),
    }),
  ),
  { maxLength: 12 },
);

test('[D6] a reader that starts again at any boundary reads the same records', () => {
  fc.assert(
    fc.property(steps, (chosen) => {
      const log = new LogBuilder();
      for (const { kind, text, upTo } of chosen) kind === 'dead' ? log.dead(text) : log.record(text, 2, upTo);
      const records: { readonly slot: number; readonly text: string }[] = [];
      const boundaries = [FIRST_POSITION];
      const reader = new ChainReader(FIRST_POSITION);
      log.messages.forEach((message, index) => {
        const reading = reader.read({ slot: index + 1, message });
        if (reading.kind === 'record')
          records.push({ slot: index + 1, text: reading.record.body.toString() });
        boundaries.push(reader.boundary);
      });
      for (const boundary of boundaries) {
        const again = new ChainReader(boundary);
        const found = log.messages.slice(boundary.slot).flatMap((message, index) => {
          const slot = boundary.slot + index + 1;
          const reading = again.read({ slot, message });
          return reading.kind === 'record' ? [{ slot, text: reading.record.body.toString() }] : [];
        });
        expect(found).toEqual(records.filter(({ slot }) => slot > boundary.slot));
        expect(again.position).toEqual(reader.position);
      }
    }),
  );
});

test('[D4][D6] dead messages anywhere leave the same records', () => {
  fc.assert(
    fc.property(steps, (chosen) => {
      const without = new LogBuilder();
      const log = new LogBuilder();
      for (const { kind, text, upTo } of chosen) {
        if (kind === 'dead') log.dead(text);
        else for (const built of [log, without]) built.record(text, 2, upTo);
      }
      expect(read(log).filter((result) => result !== 'dead')).toEqual(read(without));
    }),
  );
});

test('[D7] a valid message that cannot be read is not skipped', () => {
  const log = new LogBuilder().record('a').record('b');
  log.messages[1]?.writeUInt8(2, 1);
  const reader = new ChainReader(FIRST_POSITION);
  expect(readAll(reader, log.messages)).toEqual(['a', 'unreadable']);
  expect(reader.position.slot).toBe(1);
});

test('[D11] the last valid message is recognized, and another one in its slot is not', () => {
  const log = new LogBuilder().record('a').record('b');
  const reader = new ChainReader(FIRST_POSITION);
  readAll(reader, log.messages);
  expect(log.messages.map((message) => isLastValid(message, reader.position))).toEqual([false, true]);
  expect(isLastValid(Buffer.from('short'), reader.position)).toBe(false);
});

test('[D4] a message of another slot than the next is a bug', () => {
  const reader = new ChainReader(FIRST_POSITION);
  expect(() => reader.read({ slot: 2, message: Buffer.alloc(30) })).toThrow('after message 0');
});
