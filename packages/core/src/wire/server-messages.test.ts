import { expect, test } from 'vitest';
import {
  endOfTransmissionMessage,
  handshakeMessage,
  listenRevokedPush,
  mergePush,
  pongMessage,
  resetMessage,
  responseMessage,
  setPush,
  shutdownMessage,
  upgradeAcceptedMessage,
} from './server-messages.ts';

test.each([
  [
    '[W1] the handshake',
    handshakeMessage(1754040000123, 'localhost:9000', 'abc'),
    '{"t":"c","d":{"t":"h","d":{"ts":1754040000123,"v":"5","h":"localhost:9000","s":"abc"}}}',
  ],
  ['[W9] a pong with an inner `d`', pongMessage(), '{"t":"c","d":{"t":"o","d":null}}'],
  ['[W157] the acceptance of an upgrade', upgradeAcceptedMessage(), '{"t":"c","d":{"t":"a","d":{}}}'],
  ['[W157] an end of transmission', endOfTransmissionMessage(), '{"t":"c","d":{"t":"n","d":{}}}'],
  ['[W127] a reset', resetMessage('localhost:9000'), '{"t":"c","d":{"t":"r","d":"localhost:9000"}}'],
  ['[W8] a shutdown', shutdownMessage('a "reason"'), '{"t":"c","d":{"t":"s","d":"a \\"reason\\""}}'],
  ['[W26] a response', responseMessage(0, 'ok', '""'), '{"t":"d","d":{"r":0,"b":{"s":"ok","d":""}}}'],
  ['[W84] a push at the root', setPush('', 'null'), '{"t":"d","d":{"a":"d","b":{"p":"","d":null}}}'],
  [
    '[W97] a push with a tag, which may be 0',
    setPush('a/"b', '{"x":1}', 0),
    '{"t":"d","d":{"a":"d","b":{"p":"a/\\"b","d":{"x":1},"t":0}}}',
  ],
  [
    '[W98] a merge with a tag',
    mergePush('s', '{"a":null}', 7),
    '{"t":"d","d":{"a":"m","b":{"p":"s","d":{"a":null},"t":7}}}',
  ],
  [
    '[W87] a merge without a tag',
    mergePush('', '{"a/b":1}'),
    '{"t":"d","d":{"a":"m","b":{"p":"","d":{"a/b":1}}}}',
  ],
  ['[W50] the revocation of a plain listen', listenRevokedPush('a'), '{"t":"d","d":{"a":"c","b":{"p":"a"}}}'],
  [
    '[W50] the revocation of a window',
    listenRevokedPush('a', '{"i":"n"}'),
    '{"t":"d","d":{"a":"c","b":{"p":"a","q":[{"i":"n"}]}}}',
  ],
])('%s is %s', (_title, message, text) => {
  expect(message).toBe(text);
  expect(JSON.parse(message)).toHaveProperty('d');
});
