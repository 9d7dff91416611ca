import { expect, test } from 'vitest';
import { STRING_METHODS } from '../compile/members.ts';
import { SNAPSHOT_METHODS } from '../compile/snapshot-methods.ts';
import { NO_QUERY } from '../evaluate/scope.ts';
import { type MemberTable, QUERY_MEMBERS, SNAPSHOT_MEMBERS, STRING_MEMBERS } from './members.ts';

function namesOf(members: MemberTable, wanted: 'property' | 'method'): readonly string[] {
  return [...members]
    .filter(([, { kind }]) => kind === wanted)
    .map(([name]) => name)
    .sort();
}

test('[R58] the checker and the compiler have the same members', () => {
  expect(namesOf(SNAPSHOT_MEMBERS, 'method')).toEqual([...SNAPSHOT_METHODS.keys()].sort());
  expect(namesOf(SNAPSHOT_MEMBERS, 'property')).toEqual([]);
  expect(namesOf(STRING_MEMBERS, 'method')).toEqual([...STRING_METHODS.keys()].sort());
  expect(namesOf(STRING_MEMBERS, 'property')).toEqual(['length']);
  expect(namesOf(QUERY_MEMBERS, 'property')).toEqual(Object.keys(NO_QUERY).sort());
  expect(namesOf(QUERY_MEMBERS, 'method')).toEqual([]);
});
