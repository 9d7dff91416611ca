import { expect, test } from 'vitest';
import { Frame } from '../../storage/transaction/frame.ts';
import { encodeWebSocketMessage, joinFrames } from './outgoing-message.ts';

function framesOf(...texts: readonly string[]): readonly Frame[] {
  return texts.map((text) => new Frame(text));
}

test('[L61] one message is its own bytes, the same for every connection', () => {
  const frames = framesOf('a');
  const bytes = joinFrames(frames);
  expect(bytes.toString('hex')).toBe('810161');
  expect(joinFrames([...frames])).toBe(bytes);
});

test('[L61] several are put together once for all connections that get the same', () => {
  const [a, b, c] = framesOf('a', 'b', 'c') as [Frame, Frame, Frame];
  const bytes = joinFrames([a, b]);
  expect(bytes.toString('hex')).toBe('810161810162');
  expect(joinFrames([a, b])).toBe(bytes);
  for (const other of [[b, a], [a, b, c], [a, c], []])
    expect(joinFrames(other).toString()).toBe(
      Buffer.concat(other.map(({ text }) => encodeWebSocketMessage(text))).toString(),
    );
});

test('[L61] large results are right, though they are not kept', () => {
  const frames = framesOf('x'.repeat(40_000), 'y'.repeat(40_000));
  const expected = Buffer.concat(frames.map(({ text }) => encodeWebSocketMessage(text)));
  expect(joinFrames(frames).equals(expected)).toBe(true);
  expect(joinFrames(frames).equals(expected)).toBe(true);
});

test('[L61] a message is encoded once', () => {
  const frame = new Frame('a');
  let encodings = 0;
  const encode = (text: string): Buffer => {
    encodings++;
    return Buffer.from(text);
  };
  expect(frame.bytes(encode)).toBe(frame.bytes(encode));
  expect(encodings).toBe(1);
});
