import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestError } from '../error/request-error.ts';
import { parseClientMessage } from './client-messages.ts';

test.each([
  ['[W9] a ping', '{"t":"c","d":{"t":"p","d":{}}}', { kind: 'ping' }],
  ['[W157] a switch', '{"t":"c","d":{"t":"a","d":{}}}', { kind: 'switch' }],
  ['[W157] an end of transmission', '{"t":"c","d":{"t":"n","d":{}}}', { kind: 'end-of-transmission' }],
  ['[W10] another control message', '{"t":"c","d":{"t":"z","d":{}}}', { kind: 'unknown' }],
  ['[W10] a control message without a kind', '{"t":"c","d":{}}', { kind: 'unknown' }],
  ['[W10] an empty control message', '{"t":"c"}', { kind: 'unknown' }],
  ['[W22] an unknown layer', '{"t":"x","d":1}', { kind: 'unknown' }],
  ['[W22] no layer', '{}', { kind: 'unknown' }],
  [
    '[W26] a request',
    '{"t":"d","d":{"r":7,"a":"p","b":{"p":"/a","d":1}}}',
    { kind: 'request', id: 7, action: 'p', body: { p: '/a', d: 1 } },
  ],
  [
    '[W29] number 0',
    '{"t":"d","d":{"r":0,"a":"s","b":{}}}',
    { kind: 'request', id: 0, action: 's', body: {} },
  ],
  ['[W28] any action', '{"t":"d","d":{"r":1,"a":""}}', { kind: 'request', id: 1, action: '', body: {} }],
  [
    '[W30] unknown fields',
    '{"t":"d","x":1,"d":{"r":1,"a":"s","b":{"y":2},"z":3}}',
    { kind: 'request', id: 1, action: 's', body: { y: 2 } },
  ],
  [
    '[W32] a body that is not an object',
    '{"t":"d","d":{"r":1,"a":"p","b":[1]}}',
    { kind: 'request', id: 1, action: 'p', body: {} },
  ],
  [
    '[W68] integers of 64 bits',
    '{"t":"d","d":{"r":1,"a":"p","b":{"d":9223372036854775807}}}',
    { kind: 'request', id: 1, action: 'p', body: { d: 9223372036854775807n } },
  ],
])('%s', (_title, text, message) => {
  expect(parseClientMessage(text)).toEqual(message);
});

test.each([
  ['text that is not JSON', '{'],
  ['nothing', ''],
  ['JSON that is not an object', '"d"'],
  ['a list', '[]'],
  ['null', 'null'],
  ['no payload', '{"t":"d"}'],
  ['a payload that is not an object', '{"t":"d","d":"x"}'],
  ['no number', '{"t":"d","d":{"a":"s"}}'],
  ['a number as text', '{"t":"d","d":{"r":"1","a":"s"}}'],
  ['a number with a fraction', '{"t":"d","d":{"r":1.5,"a":"s"}}'],
  ['a negative number', '{"t":"d","d":{"r":-1,"a":"s"}}'],
  ['a number above the safe integers', '{"t":"d","d":{"r":9007199254740993,"a":"s"}}'],
  ['no action', '{"t":"d","d":{"r":1}}'],
  ['an action that is not a string', '{"t":"d","d":{"r":1,"a":1}}'],
])('[W20] %s is rejected', (_name, text) => {
  expect(() => parseClientMessage(text)).toThrow(expect.objectContaining({ code: 'request/malformed' }));
});

test('[W20] arbitrary text gives a message or a request error', () => {
  const layer = fc.constantFrom('c', 'd', 'x', null);
  const envelope = fc
    .record({ t: layer, d: fc.jsonValue() }, { requiredKeys: [] })
    .map((json) => JSON.stringify(json));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), envelope), (text) => {
      try {
        parseClientMessage(text);
      } catch (error) {
        expect(error).toBeInstanceOf(RequestError);
      }
    }),
  );
});
