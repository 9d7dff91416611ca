import { expect, test } from 'vitest';
import { copyBuffers } from './thread-task.ts';

test('[I76] a thread gets its own copy of each buffer, and no other memory', () => {
  const task = {
    kind: 'argon2',
    password: Buffer.from('password'),
    input: { salt: Buffer.from('salt'), cost: { passes: 2 }, associatedData: null },
  };
  expect(task.password.buffer.byteLength).toBeGreaterThan(task.password.length);
  const { password, input } = copyBuffers(task);
  expect([password.buffer.byteLength, input.salt.buffer.byteLength]).toEqual([8, 4]);
  expect([Buffer.from(password).toString(), Buffer.from(input.salt).toString()]).toEqual([
    'password',
    'salt',
  ]);
  expect(input).toMatchObject({ cost: { passes: 2 }, associatedData: null });
});
