import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  closeAfterCommand,
  closeCommand,
  definitionsScript,
  messagesScript,
  startCommand,
} from './long-poll.ts';

type Call = readonly [string, ...unknown[]];

/**
 * Returns the calls that a script makes to a page whose functions have the number 7. The script runs in a
 * frame in which the definitions script has run.
 */
function callsOf(script: string, hasFunctions = true): readonly Call[] {
  const calls: Call[] = [];
  const record =
    (name: string) =>
    (...args: unknown[]): void => {
      calls.push([name, ...args]);
    };
  const page = hasFunctions ? { pLPCommand7: record('pLPCommand'), pRTLPCB7: record('pRTLPCB') } : {};
  // As in a browser, properties of the window are available by their bare name.
  const run = new Function(
    'window',
    'parent',
    `${definitionsScript('7')}const {pLPCommand,pRTLPCB}=window;${script}`,
  );
  run({}, { window: page });
  return calls;
}

test('[W129] the start script names the connection and delivers the first messages', () => {
  expect(callsOf(startCommand('ID', 'PW') + messagesScript(0, ['{"t":"c","d":{"t":"h"}}']))).toEqual([
    ['pLPCommand', 'start', 'ID', 'PW'],
    ['pRTLPCB', 0, [{ t: 'c', d: { t: 'h' } }]],
  ]);
});

test('[W129] a page that has closed the connection receives no calls', () => {
  expect(callsOf(startCommand('ID', 'PW') + messagesScript(0, []), false)).toEqual([]);
});

test('[W145][W160] a connection is closed immediately, or after a certain answer', () => {
  expect(callsOf(closeCommand() + closeAfterCommand(12))).toEqual([
    ['pLPCommand', 'close'],
    ['pLPCommand', 'close', 12],
  ]);
});

test.each([
  ['line separators', ['"a\u2028b\u2029c"']],
  ['the end of a script', ['"</script></"']],
  ['line separators and `</` after backslashes', ['"\\\\\u2028\\\\</"']],
])('[W143] %s are escaped and keep their value', (_name, messages) => {
  const script = messagesScript(3, messages);
  expect(script).not.toMatch(/\u2028|\u2029|<\//);
  expect(callsOf(script)).toEqual([['pRTLPCB', 3, messages.map((json) => JSON.parse(json))]]);
});

test.each([
  '{"__proto__":{"a":1},"b":2}',
  '{"a":{"__proto__":null}}',
  '"\\"__proto__\\" in a text \u2028</"',
  '{"__proto__":"\u2029 it\'s \\\\ \\" </script>"}',
])('[W144] a member called __proto__ arrives as a member: %s', (json) => {
  const [call] = callsOf(messagesScript(1, ['1', json]));
  expect(JSON.stringify(call?.[2])).toBe(JSON.stringify([1, JSON.parse(json)]));
});

test('[W143][W144] the client receives exactly the messages that the server sends', () => {
  const key = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('__proto__', '</', '\u2028'));
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(key, fc.integer(), fc.boolean(), fc.constant(null), fc.dictionary(key, tie('json'))),
  }));
  fc.assert(
    fc.property(fc.array(json), fc.nat(), (messages, number) => {
      const script = messagesScript(
        number,
        messages.map((message) => JSON.stringify(message)),
      );
      expect(JSON.stringify(callsOf(script))).toBe(JSON.stringify([['pRTLPCB', number, messages]]));
    }),
  );
});
