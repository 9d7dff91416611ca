import { expect, test } from 'vitest';
import { CommitGate } from './commit-gate.ts';

test('[D17] an action waits for everything that was executed before it', () => {
  const gate = new CommitGate(() => true);
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
  const gate = new CommitGate(() => true);
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

test('[D17] an action waits until no other node can have begun to lead', () => {
  let isCurrent = true;
  const gate = new CommitGate(() => isCurrent);
  const done: string[] = [];
  gate.whenCurrent(() => done.push('current'));
  isCurrent = false;
  gate.execute();
  gate.whenCurrent(() => done.push('executed'));
  gate.whenCommitted(() => done.push('committed'));
  isCurrent = true;
  gate.renew();
  isCurrent = false;
  gate.commit(1);
  gate.renew();
  expect(done).toEqual(['current', 'committed']);
  isCurrent = true;
  gate.renew();
  expect(done).toEqual(['current', 'committed', 'executed']);
});
