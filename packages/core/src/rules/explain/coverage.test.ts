import { expect, test } from 'vitest';
import { parseRules } from '../compile/rules.ts';
import { isReadAllowed, isWriteAllowed } from '../evaluate/decide.ts';
import { readOf, writeOf } from '../evaluate/operations.fixture.ts';
import { Coverage } from './coverage.ts';

const SOURCE = `{
  "rules": {
    ".read": false,
    "rooms": {
      "lobby": { ".write": "auth.level > 1 || auth.token['admin'] == true" },
      "$room": {
        ".read": "query.orderByKey || (auth != null ? $room.beginsWith('r') : false)",
        ".validate": "newData.child('n').val() + 1 > 1 && newData.hasChildren()"
      }
    }
  }
}`;

/**
 * Returns the counts by rule. Each rule is a list of its kind and location, followed by lines `text: times
 * true/times false/times in error`.
 */
function countsOf(coverage: Coverage): readonly (readonly string[])[] {
  return coverage
    .list()
    .map(({ kind, location, expressions }) => [
      `${kind} ${location}`,
      ...expressions.map(
        ({ span, timesTrue, timesFalse, timesInError }) =>
          `${SOURCE.slice(span.start, span.end)}: ${timesTrue}/${timesFalse}/${timesInError}`,
      ),
    ]);
}

test('[R105] every rule and every boolean part of it is listed, whether evaluated or not', () => {
  expect(countsOf(new Coverage(parseRules(SOURCE)))).toEqual([
    ['read /', 'false: 0/0/0'],
    [
      'write /rooms/lobby',
      "auth.level > 1 || auth.token['admin'] == true: 0/0/0",
      'auth.level > 1: 0/0/0',
      "auth.token['admin'] == true: 0/0/0",
    ],
    [
      'read /rooms/$room',
      "query.orderByKey || (auth != null ? $room.beginsWith('r') : false): 0/0/0",
      'query.orderByKey: 0/0/0',
      "auth != null ? $room.beginsWith('r') : false: 0/0/0",
      'auth != null: 0/0/0',
      "$room.beginsWith('r'): 0/0/0",
    ],
    [
      'validate /rooms/$room',
      "newData.child('n').val() + 1 > 1 && newData.hasChildren(): 0/0/0",
      "newData.child('n').val() + 1 > 1: 0/0/0",
      'newData.hasChildren(): 0/0/0',
    ],
  ]);
});

test('[R105] coverage counts how often each part was true, false and in error', () => {
  const coverage = new Coverage(parseRules(SOURCE));
  const { rules } = coverage;
  expect(isReadAllowed(rules, readOf('rooms/r1'))).toBe(true);
  expect(isReadAllowed(rules, readOf('rooms/x1'))).toBe(false);
  expect(isReadAllowed(rules, readOf('rooms/r1', { auth: null }))).toBe(false);
  expect(isWriteAllowed(rules, writeOf({ 'rooms/lobby': '1' }))).toBe(false);
  expect(isWriteAllowed(rules, writeOf({ 'rooms/lobby': '1' }, { auth: { level: 2 } }))).toBe(true);
  expect(countsOf(coverage)).toEqual([
    ['read /', 'false: 0/3/0'],
    [
      'write /rooms/lobby',
      "auth.level > 1 || auth.token['admin'] == true: 1/0/1",
      'auth.level > 1: 1/0/1',
      "auth.token['admin'] == true: 0/0/0",
    ],
    [
      'read /rooms/$room',
      "query.orderByKey || (auth != null ? $room.beginsWith('r') : false): 1/2/0",
      'query.orderByKey: 0/3/0',
      "auth != null ? $room.beginsWith('r') : false: 1/2/0",
      'auth != null: 2/1/0',
      "$room.beginsWith('r'): 1/1/0",
    ],
    [
      'validate /rooms/$room',
      "newData.child('n').val() + 1 > 1 && newData.hasChildren(): 0/0/0",
      "newData.child('n').val() + 1 > 1: 0/0/0",
      'newData.hasChildren(): 0/0/0',
    ],
  ]);
});
