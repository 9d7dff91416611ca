import { expect, test } from 'vitest';
import { OPTIONS, readOptions } from './server-options.ts';

test('[H45] an option that is not set has its default', () => {
  const fallbacks = Object.entries(OPTIONS).map(([name, { fallback }]) => [name, fallback]);
  expect(readOptions({}, {})).toEqual(Object.fromEntries(fallbacks));
});

test('[H45] the command line has priority over the environment', () => {
  const environment = {
    HEARTH_PORT: '1',
    HEARTH_DATA: 'there',
    HEARTH_ALLOW_HOST: 'a.example, B.example',
    HEARTH_HOST: '',
  };
  expect(readOptions({ port: '2' }, environment)).toMatchObject({
    port: 2,
    data: 'there',
    host: '127.0.0.1',
    allowHost: ['a.example', 'b.example'],
  });
  expect(readOptions({ allowHost: ['c.example', 'd'] }, environment).allowHost).toEqual(['c.example', 'd']);
});

test.each([
  [{ port: '65536' }, '--port must be a whole number from 0 to 65535, not "65536".'],
  [{ port: '-1' }, '--port must be'],
  [{ port: '9e3' }, '--port must be'],
  [{ port: '' }, '--port must be'],
  [{ data: '' }, '--data must name a directory'],
  [{ project: 'A_b' }, '--project must be'],
  [{ allowHost: ['a.example:80'] }, '--allow-host must be a host name'],
  [{ allowHost: ['*'] }, '--allow-host must be a host name'],
  [{ maxBacklogBytes: '1' }, '--max-backlog-bytes must be a whole number from 65536'],
  [{ maxMessageBytes: '16MB' }, '--max-message-bytes must be'],
  [{ maxBodyBytes: '999999999999' }, '--max-body-bytes must be'],
  [{ memory: '127' }, '--memory must be a whole number from 128'],
  [{ memory: '1048576' }, 'set NODE_OPTIONS=--max-old-space-size=1048576.'],
  [{ logLevel: 'loud' }, '--log-level must be one of trace'],
])('[H44] the options %j are rejected', (flags, sentence) => {
  expect(() => readOptions(flags, {})).toThrow(sentence);
});

test('[H550] memory is given in MiB', () => {
  expect(readOptions({ memory: '256' }, {}).memory).toBe(256 * 2 ** 20);
});

test('[H44] an invalid environment variable is rejected with its name', () => {
  expect(() => readOptions({}, { HEARTH_PORT: 'x' })).toThrow('HEARTH_PORT must be');
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.255.0.9', '127.255.0.9'],
  ['::1', '::1'],
  ['localhost', '127.0.0.1'],
])('[H46] %s is accepted as an address of this machine', (host, address) => {
  expect(readOptions({ host }, {}).host).toBe(address);
});

test.each([
  ['0.0.0.0'],
  ['::'],
  ['192.168.0.1'],
  ['127.0.0.256'],
  ['example.com'],
  ['127.0.0.1.example'],
  [''],
])('[H46] %s is rejected as an address of this machine', (host) =>
  expect(() => readOptions({ host }, {})).toThrow('--host must be an address of this machine only'),
);

test('[H172] the environment has priority over the settings of the project', () => {
  const presets = { port: 9001, project: 'shop' };
  expect(readOptions({}, { HEARTH_PROJECT: 'other' }, presets)).toMatchObject({
    port: 9001,
    host: '127.0.0.1',
    project: 'other',
  });
  expect(readOptions({ port: '1' }, {}, presets)).toMatchObject({ port: 1, project: 'shop' });
});
