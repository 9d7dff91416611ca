import { expect, test } from 'vitest';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import { encodeWebSocketMessage, joinMessages } from './outgoing-message.ts';

function messagesOf(...texts: readonly string[]): readonly OutgoingMessage[] {
  return texts.map((text) => new OutgoingMessage(text));
}

test('[L61] a single message is joined to its own bytes, which all connections share', () => {
  const messages = messagesOf('a');
  const bytes = joinMessages(messages);
  expect(bytes.toString('hex')).toBe('810161');
  expect(joinMessages([...messages])).toBe(bytes);
});

test('[L61] the same messages are joined once for all connections', () => {
  const [a, b, c] = messagesOf('a', 'b', 'c') as [OutgoingMessage, OutgoingMessage, OutgoingMessage];
  const bytes = joinMessages([a, b]);
  expect(bytes.toString('hex')).toBe('810161810162');
  expect(joinMessages([a, b])).toBe(bytes);
  for (const other of [[b, a], [a, b, c], [a, c], []])
    expect(joinMessages(other).toString()).toBe(
      Buffer.concat(other.map(({ text }) => encodeWebSocketMessage(text))).toString(),
    );
});

test('[L61] joined messages that are too long for the cache are correct', () => {
  const messages = messagesOf('x'.repeat(40_000), 'y'.repeat(40_000));
  const expected = Buffer.concat(messages.map(({ text }) => encodeWebSocketMessage(text)));
  expect(joinMessages(messages).equals(expected)).toBe(true);
  expect(joinMessages(messages).equals(expected)).toBe(true);
});

test('[L61] a message is encoded once', () => {
  const message = new OutgoingMessage('a');
  let encodings = 0;
  const encode = (text: string): Buffer => {
    encodings++;
    return Buffer.from(text);
  };
  expect(message.bytes(encode)).toBe(message.bytes(encode));
  expect(encodings).toBe(1);
});
