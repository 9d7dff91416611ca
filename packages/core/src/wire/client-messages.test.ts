import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestError } from '../error/request-error.ts';
import { parseClientMessage } from './client-messages.ts';

test.each([
  ['[W9] a ping is parsed', '{"t":"c","d":{"t":"p","d":{}}}', { kind: 'ping' }],
  ['[W157] a switch is parsed', '{"t":"c","d":{"t":"a","d":{}}}', { kind: 'switch' }],
  [
    '[W157] an end of transmission is parsed',
    '{"t":"c","d":{"t":"n","d":{}}}',
    { kind: 'end-of-transmission' },
  ],
  ['[W10] any other control message is unknown', '{"t":"c","d":{"t":"z","d":{}}}', { kind: 'unknown' }],
  ['[W10] a control message without a kind is unknown', '{"t":"c","d":{}}', { kind: 'unknown' }],
  ['[W10] a control message without a payload is unknown', '{"t":"c"}', { kind: 'unknown' }],
  ['[W22] a message of an unknown layer is unknown', '{"t":"x","d":1}', { kind: 'unknown' }],
  ['[W22] a message without a layer is unknown', '{}', { kind: 'unknown' }],
  [
    '[W26] a request is parsed',
    '{"t":"d","d":{"r":7,"a":"p","b":{"p":"/a","d":1}}}',
    { kind: 'request', id: 7, action: 'p', body: { p: '/a', d: 1 } },
  ],
  [
    '[W29] a request may have the number 0',
    '{"t":"d","d":{"r":0,"a":"s","b":{}}}',
    { kind: 'request', id: 0, action: 's', body: {} },
  ],
  [
    '[W28] a request may have any action, even an empty one',
    '{"t":"d","d":{"r":1,"a":""}}',
    { kind: 'request', id: 1, action: '', body: {} },
  ],
  [
    '[W30] unknown fields of a request are ignored',
    '{"t":"d","x":1,"d":{"r":1,"a":"s","b":{"y":2},"z":3}}',
    { kind: 'request', id: 1, action: 's', body: { y: 2 } },
  ],
  [
    '[W32] a body that is not an object becomes an empty object',
    '{"t":"d","d":{"r":1,"a":"p","b":[1]}}',
    { kind: 'request', id: 1, action: 'p', body: {} },
  ],
  [
    '[W68] integers of 64 bits are exact',
    '{"t":"d","d":{"r":1,"a":"p","b":{"d":9223372036854775807}}}',
    { kind: 'request', id: 1, action: 'p', body: { d: 9223372036854775807n } },
  ],
])('%s', (_title, text, message) => {
  expect(parseClientMessage(text)).toEqual(message);
});

test.each([
  ['text that is not JSON', '{'],
  ['an empty text', ''],
  ['JSON that is not an object', '"d"'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a data message without a payload', '{"t":"d"}'],
  ['a payload that is not an object', '{"t":"d","d":"x"}'],
  ['a request without a number', '{"t":"d","d":{"a":"s"}}'],
  ['a request whose number is a string', '{"t":"d","d":{"r":"1","a":"s"}}'],
  ['a number with a fraction', '{"t":"d","d":{"r":1.5,"a":"s"}}'],
  ['a negative number', '{"t":"d","d":{"r":-1,"a":"s"}}'],
  ['a number above the safe integers', '{"t":"d","d":{"r":9007199254740993,"a":"s"}}'],
  ['a request without an action', '{"t":"d","d":{"r":1}}'],
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
