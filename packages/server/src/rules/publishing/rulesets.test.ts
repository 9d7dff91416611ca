import { RequestError } from '@hearth/core/error/request-error.ts';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { addRuleset, findLabels, findRuleset, listRulesets, MAX_RULESETS, writeLabels } from './rulesets.ts';

function ruleset(number: number) {
  return { id: `-P6wUSgoxbK21Urr${String(number).padStart(4, '0')}`, createdAt: 'then', source: '{}' };
}

test('[H75] the oldest rulesets without a label are removed when there are too many', () => {
  using store = new MemoryStore();
  store.transact((tx) => {
    for (let number = 0; number < MAX_RULESETS; number++) addRuleset(tx, 'db', ruleset(number));
    addRuleset(tx, 'db2', ruleset(0));
    writeLabels(tx, 'db', { stable: ruleset(0).id, canary: ruleset(2).id });
    for (let number = MAX_RULESETS; number < MAX_RULESETS + 3; number++)
      addRuleset(tx, 'db', ruleset(number));
    const numbers = listRulesets(tx, 'db').map(({ id }) => Number(id.slice(-4)));
    expect(numbers).toEqual([0, 2, ...Array.from({ length: MAX_RULESETS - 2 }, (_, at) => at + 5)]);
    expect(listRulesets(tx, 'db2')).toHaveLength(1);
  });
});

test('[H74] only rulesets of the database can be labeled', () => {
  using store = new MemoryStore();
  store.transact((tx) => {
    addRuleset(tx, 'db', ruleset(1));
    writeLabels(tx, 'db', { stable: ruleset(1).id });
    for (const labels of [{ stable: ruleset(2).id }, { stable: ruleset(1).id, canary: ruleset(2).id }])
      expect(() => writeLabels(tx, 'db', labels)).toThrow(RequestError);
    expect(() => writeLabels(tx, 'db2', { stable: ruleset(1).id })).toThrow(RequestError);
    expect(findLabels(tx, 'db')).toEqual({ stable: ruleset(1).id });
    expect(findRuleset(tx, 'db', '')).toBeUndefined();
    expect(findRuleset(tx, 'db', 'x'.repeat(5_000))).toBeUndefined();
  });
});
