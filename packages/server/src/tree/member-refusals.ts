import { Refusal } from '@hearth/core/fault/refusal.ts';

/** Refuses a name that an object has already. */
export function refuseTwice(name: string): never {
  throw new Refusal('value/invalid', `The key ${JSON.stringify(name)} comes twice in one object.`);
}

/** Refuses what stands beside the value of a leaf. */
export function refuseBesideLeaf(name: string): never {
  throw new Refusal(
    'value/invalid',
    `".value" and ".sv" stand alone or beside ".priority", not beside ${JSON.stringify(name)}.`,
  );
}
