import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ranking } from './ranking.ts';

test('[H541] after any changes, the item of the highest rank is found', () => {
  const change = fc.record({ name: fc.nat({ max: 20 }), rank: fc.option(fc.nat({ max: 9 })) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 100 }), (changes) => {
      const ranks = new Map<number, number>();
      const ranking = new Ranking<number>((name) => ranks.get(name) ?? 0);
      for (const { name, rank } of changes) {
        if (rank === null) {
          ranks.delete(name);
          ranking.remove(name);
        } else {
          ranks.set(name, rank);
          ranking.update(name);
        }
        const { highest } = ranking;
        if (ranks.size === 0) expect(highest).toBeUndefined();
        else expect(highest === undefined ? -1 : ranks.get(highest)).toBe(Math.max(...ranks.values()));
      }
    }),
  );
});
