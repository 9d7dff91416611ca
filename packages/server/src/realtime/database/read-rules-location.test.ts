import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { rulesLocation } from './read.ts';

const RULES = parseRules(
  JSON.stringify({ rules: { rooms: { lobby: { '.read': true }, $room: { messages: { $id: {} } } } } }),
);

test.each([
  ['', '/'],
  ['rooms', '/rooms'],
  ['rooms/r1', '/rooms/$room'],
  ['rooms/lobby', '/rooms/lobby'],
  ['rooms/lobby/messages', '/rooms/lobby/messages'],
  ['rooms/r1/messages/m1', '/rooms/$room/messages/$id'],
  ['rooms/r1/other/x', '/rooms/$room/other/x'],
  ['users/ada', '/users/ada'],
])('[H440] the location of "%s" in the rules is %s', (path, location) => {
  expect(rulesLocation(RULES, parsePath(path))).toBe(location);
});
