import { expect, test } from 'vitest';
import { NO_QUERY } from '../evaluate/scope.ts';
import { parseQuestion } from './question.ts';

test('[R240] a question says who would do what, and by which rules', () => {
  const read = '{"operation": "read", "path": "/a/b", "query": {"limitToFirst": 3}}';
  expect(parseQuestion(read)).toEqual({
    kind: 'question',
    question: {
      auth: null,
      operation: { kind: 'read', path: ['a', 'b'], query: { ...NO_QUERY, limitToFirst: 3 } },
      source: null,
    },
  });
  const write =
    '{"auth": {"uid": "u1", "n": 9007199254740993}, "operation": "write", "path": "/a/.priority", "value": 5, "source": "{}"}';
  expect(parseQuestion(write)).toEqual({
    kind: 'question',
    question: {
      auth: { uid: 'u1', n: 9007199254740992 },
      operation: { kind: 'write', write: { kind: 'priority', path: ['a'], priority: 5 } },
      source: '{}',
    },
  });
});

test.each([
  ['{', 'Parse error.'],
  ['[]', 'A question is an object in braces.'],
  ['{"path": "/a"}', '"operation" is "read", "write" or "update".'],
  ['{"operation": "update", "path": "/a"}', 'An update needs a "value"'],
  ['{"operation": "read", "path": "/a", "value": 1}', '"value" goes with "write" and "update" only.'],
  ['{"operation": "read", "operation": "write", "path": "/a", "value": 1}', '"operation" is here twice.'],
])('[H305] %s is no question', (text, message) => {
  expect(parseQuestion(text)).toEqual({
    kind: 'wrong',
    problems: expect.arrayContaining([
      expect.objectContaining({ message: expect.stringContaining(message) }),
    ]),
  });
});
