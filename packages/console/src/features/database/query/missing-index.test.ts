import { expect, test } from 'vitest';
import { pathOf } from '../model/node-path.ts';
import { findMissingIndex } from './missing-index.ts';

const RULES = JSON.stringify({
  rules: {
    rows: { '.indexOn': ['s', 'owner/name'] },
    lists: { $list: { '.indexOn': '.value' } },
    lists2: { own: { '.indexOn': 'n' }, $list: { '.indexOn': 's' } },
  },
});

test.each([
  [['rows'], 's', null],
  [['rows'], 'owner/name', null],
  [['rows'], 'n', { location: '/rows', indexOn: ['s', 'owner/name', 'n'] }],
  [['lists', 'a'], '.value', null],
  [['lists', 'a'], 's', { location: '/lists/$list', indexOn: ['.value', 's'] }],
  [['lists2', 'own'], 'n', null],
  [['lists2', 'own'], 's', { location: '/lists2/own', indexOn: ['n', 's'] }],
  [['elsewhere', 'deep'], 'n', { location: '/elsewhere/deep', indexOn: ['n'] }],
  [[], 'n', { location: '/', indexOn: ['n'] }],
])('[C706] for the keys %j and the order %s, the rules lack %j', (keys, index, missing) => {
  expect(findMissingIndex(RULES, pathOf(keys), index)).toEqual(missing);
});

test('[C706] invalid rules lack no index', () => {
  expect(findMissingIndex('{', pathOf(['rows']), 's')).toBeNull();
});
