import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../tree/json-text.ts';
import { type ClientMessage, parseClientMessage } from './client-messages.ts';
import { LONG_MESSAGE_UNITS, LongJson, MAX_UNSPLIT_UNITS } from './long-message.ts';

const LONG = 'x'.repeat(LONG_MESSAGE_UNITS);

/** Returns the data of a request as JSON text, and whether they were separated. */
function dataOf(message: ClientMessage): { readonly json: string; readonly isLong: boolean } {
  if (message.kind !== 'request') throw new Error('not a request');
  const data = message.body['d'];
  return data instanceof LongJson
    ? { json: data.text, isLong: true }
    : { json: JSON.stringify(data), isLong: false };
}

const LONG_DATA = [
  { a: LONG, b: [true, null, { '.sv': 'timestamp' }] },
  [LONG, '}', ']', '"', '\\', '\\"'],
  `${LONG}\\`,
  `${LONG}"}}}`,
  { 'd"b': { d: LONG } },
];

test.each([
  ['in the order of the official JavaScript client', '{"t":"d","d":{"r":7,"a":"p","b":{"p":"/a","d":$}}}'],
  ['with members after the data', '{"t":"d","d":{"r":7,"a":"p","b":{"p":"/a","d":$,"h":"ha\\"sh"}}}'],
  ['with numbers after the data', '{"d":{"b":{"d":$,"p":"/a","n":-1.5e3,"l":null},"a":"p","r":7},"t":"d"}'],
  ['with spaces', ' { "t" : "d" , "d" : { "r" : 7 , "a" : "p" , "b" : { "p" : "/a" , "d" : $ } } } \n'],
])('[W176] the data of a long message %s are separated', (_name, envelope) => {
  for (const data of LONG_DATA) {
    const message = parseClientMessage(envelope.replace('$', () => JSON.stringify(data)));
    expect(message).toMatchObject({ kind: 'request', id: 7, action: 'p', body: { p: '/a' } });
    expect(dataOf(message)).toEqual({ json: JSON.stringify(data), isLong: true });
  }
});

test.each([
  ['quotes', '\\"'],
  ['backslashes', '\\\\'],
  ['ends of objects', '}'],
])('[W176] a very long string of %s is separated', (_name, unit) => {
  const data = `"${unit.repeat(MAX_UNSPLIT_UNITS)}"`;
  for (const envelope of [
    '{"t":"d","d":{"r":7,"a":"p","b":{"p":"/a","d":$}}}',
    '{"t":"d","d":{"b":{"d":$ , "h":"ha\\"sh"},"a":"p","r":7}}',
  ])
    expect(dataOf(parseClientMessage(envelope.replace('$', () => data))).json.length).toBe(data.length);
});

test('[W176] data are separated at any position in the message', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
  const others = fc.dictionary(fc.stringMatching(/^[e-z"\\]{1,3}$/), scalar, { maxKeys: 3 });
  fc.assert(
    fc.property(
      value,
      others,
      others,
      fc.boolean(),
      fc.integer({ min: 0, max: 2 }),
      (json, before, after, first, space) => {
        const data = { json, LONG };
        const body = { ...before, d: data, ...after };
        const request = first ? { b: body, r: 1, a: 'p' } : { r: 1, a: 'p', b: body };
        const text = JSON.stringify(
          first ? { d: request, t: 'd' } : { t: 'd', d: request },
          undefined,
          space,
        );
        const message = parseClientMessage(text);
        const found = dataOf(message);
        expect(found.isLong).toBe(true);
        expect(canonicalJson(JSON.parse(found.json))).toBe(canonicalJson(data));
      },
    ),
  );
});

test.each([
  ['a short message', '{"t":"d","d":{"r":7,"a":"p","b":{"p":"/a","d":[1]}}}', '[1]'],
  [
    'a message that is long without its data',
    `{"t":"d","d":{"r":7,"a":"q","b":{"p":"${LONG}","d":[1]}}}`,
    '[1]',
  ],
  ['a message whose last data are short', `{"t":"d","d":{"r":7,"a":"p","b":{"d":["${LONG}"],"d":1}}}`, '1'],
])('[W176] the data of %s are parsed with it', (_name, text, json) => {
  expect(dataOf(parseClientMessage(text))).toEqual({ json, isLong: false });
});

test.each([
  ['no JSON', LONG],
  ['no end', `{"t":"d","d":{"r":7,"a":"p","b":{"p":"/a","d":["${LONG}"`],
  ['no request number', `{"t":"d","d":{"a":"p","b":{"p":"/a","d":["${LONG}"]}}}`],
  [
    'more than the data',
    `{"t":"d","d":{"r":7,"a":"p","b":{"p":"${'x'.repeat(MAX_UNSPLIT_UNITS)}","d":[1]}}}`,
  ],
])('[W20] a long message with %s is rejected', (_name, text) => {
  expect(() => parseClientMessage(text)).toThrow(expect.objectContaining({ code: 'request/malformed' }));
});

test('[W180] data are separated without being parsed, even if they are not JSON', () => {
  const message = parseClientMessage(`{"t":"d","d":{"r":7,"a":"o","b":{"p":"/a","d":{"${LONG}":}}}}`);
  const data = message.kind === 'request' ? message.body['d'] : undefined;
  if (!(data instanceof LongJson)) throw new Error('not separated');
  expect(data.text).toBe(`{"${LONG}":}`);
});
