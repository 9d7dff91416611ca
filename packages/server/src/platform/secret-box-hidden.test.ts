import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';
import { Secret } from './secret-box.ts';
import { secretKey } from './secret-key.ts';

test('[I93] a secret appears in no log, JSON or text, and only reveal() returns it', () => {
  const secret = new Secret('hunter2');
  let line = '';
  createLogger('info', {
    write: (text) => {
      line += text;
    },
  }).info({ secret, nested: { secret } }, `it is ${secret}`);
  for (const text of [line, JSON.stringify({ secret }), inspect({ secret }), String(secret)])
    expect(text).not.toContain('hunter2');
  expect(secret.reveal()).toBe('hunter2');
});

test('[I93] a key does not print its bytes', () => {
  const key = secretKey(new Uint8Array(32).fill(65));
  for (const text of [inspect(key, { showHidden: true, depth: 9 }), JSON.stringify({ key }), String(key)])
    expect(text).not.toMatch(/AAAA|65, ?65|QUFB|4141/);
});
