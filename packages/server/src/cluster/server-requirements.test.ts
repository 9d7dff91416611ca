import { expect, test } from 'vitest';
import { checkMonitored, checkServer, checkStream } from './server-requirements.ts';

const config = {
  name: 's',
  storage: 'file',
  num_replicas: 3,
  deny_delete: true,
  allow_direct: true,
  max_age: 0,
  max_msgs: -1,
  max_bytes: -1,
};

test.each([
  ['2.14.4', true],
  ['2.15.0', true],
  ['3.0.0', true],
  ['2.14.3', false],
  ['2.9.10', false],
  ['1.99.99', false],
  ['', false],
  ['2.15.1-RC1', true],
])('[D13] version %s is recent enough: %j', (version, expected) => {
  expect(checkServer({ version, max_payload: 2 ** 20 }).length === 0).toBe(expected);
});

test('[D13] a server that takes no messages of the needed length is unsuitable', () => {
  expect(checkServer({ version: '2.15.1', max_payload: 512 * 1024 })).toEqual([
    expect.stringContaining('set max_payload to 1MB'),
  ]);
});

test('[D13] a stream as Hearth creates it is suitable', () => {
  expect(checkStream({ config }, 3)).toEqual([]);
});

test.each([
  [{ num_replicas: 1 }, 'replicas'],
  [{ storage: 'memory' }, 'in memory'],
  [{ deny_delete: false }, 'deny_delete'],
  [{ allow_direct: false }, 'allow_direct'],
  [{ max_age: 1 }, 'max_age'],
  [{ max_msgs: 5 }, 'max_msgs'],
  [{ max_bytes: 5 }, 'max_bytes'],
])('[D13] a stream with %j is unsuitable', (change, sentence) => {
  expect(checkStream({ config: { ...config, ...change } }, 3)).toEqual([expect.stringContaining(sentence)]);
});

const varz = (jetstream: unknown, version = '2.15.1') => ({ version, jetstream });

test.each([
  ['a server that flushes each message', varz({ config: { sync_always: true } }), []],
  ['a server that flushes later', varz({ config: { sync_interval: 120e9 } }), ['power failure']],
  ['a server without JetStream', varz({}), ['without JetStream']],
  ['an old server', varz({ config: { sync_always: true } }, '2.10.0'), ['2.10.0']],
  ['something else', 'hello', ['without JetStream']],
])('[D13] the problems of %s are read from its monitoring port', (_name, shown, sentences) => {
  expect(checkMonitored('http://m', shown)).toEqual(sentences.map((text) => expect.stringContaining(text)));
});
