import fc from 'fast-check';
import { expect, test } from 'vitest';
import { neighborhoodOf } from './address-layers.ts';
import { FairQueue } from './fair-queue.ts';

function takeAll(queue: FairQueue<string>): readonly string[] {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

test('[I692] neighborhoods take turns, and so do the networks of one neighborhood', () => {
  const queue = new FairQueue<string>();
  const networks = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3', '198.51.100.1', '198.51.100.1'];
  for (const [index, network] of networks.entries()) queue.add(network, `${index}`);
  expect(takeAll(queue)).toEqual(['0', '4', '2', '5', '3', '1']);
});

test('[I692] items that may not start keep their place, and removed ones are not taken', () => {
  const queue = new FairQueue<string>();
  for (const name of ['a1', 'b1', 'a2']) queue.add('192.0.2.1', name);
  expect(queue.take((item) => item.startsWith('b'))).toBe('b1');
  queue.remove('192.0.2.1', 'a1');
  queue.remove('192.0.2.1', 'a1');
  queue.remove('203.0.113.1', 'a2');
  expect(queue.take((item) => item.startsWith('b'))).toBeUndefined();
  expect(takeAll(queue)).toEqual(['a2']);
});

test('[I692] an item waits for at most one item of each other neighborhood and network, and for those before it', () => {
  const network = fc.constantFrom(
    '192.0.2.1',
    '192.0.2.2',
    '192.0.2.3',
    '198.51.100.1',
    '2001:db8:1:2::/64',
    '*',
  );
  fc.assert(
    fc.property(fc.array(network, { maxLength: 40 }), network, (others, own) => {
      const queue = new FairQueue<string>();
      for (const each of others) queue.add(each, each);
      const isEmpty = !others.some((each) => neighborhoodOf(each) === neighborhoodOf(own));
      queue.add(own, 'own');
      const before = takeAll(queue).indexOf('own');
      const neighborhoods = new Set(others.map(neighborhoodOf));
      if (isEmpty) expect(before).toBeLessThanOrEqual(neighborhoods.size);
      else expect(before).toBeLessThanOrEqual(others.length);
    }),
  );
});
