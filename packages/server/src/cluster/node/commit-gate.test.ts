import { expect, test } from 'vitest';
import { CommitGate } from './commit-gate.ts';

test('[D17] an action waits for everything that was executed before it', () => {
  const gate = new CommitGate();
  const done: string[] = [];
  const add = (name: string) => gate.whenCommitted(() => done.push(name));
  add('nothing executed');
  expect(gate.execute()).toBe(1);
  add('first');
  expect(gate.execute()).toBe(2);
  add('second');
  add('also second');
  expect(done).toEqual(['nothing executed']);
  gate.commit(1);
  expect(done).toEqual(['nothing executed', 'first']);
  gate.commit(2);
  expect(done).toEqual(['nothing executed', 'first', 'second', 'also second']);
  add('all committed');
  expect(done).toHaveLength(5);
});

test('[D17] an action that waits again waits for what was executed since', () => {
  const gate = new CommitGate();
  const done: string[] = [];
  gate.execute();
  gate.whenCommitted(() => {
    gate.execute();
    gate.whenCommitted(() => done.push('later'));
  });
  gate.commit(1);
  expect(done).toEqual([]);
  gate.commit(2);
  expect(done).toEqual(['later']);
});
