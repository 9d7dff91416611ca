import { expect, test } from 'vitest';
import { NO_QUERY } from '../evaluate/scope.ts';
import { parseQuestion } from './question.ts';

test('[R240] an explain request has a principal, an operation and optionally rules', () => {
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
  ['[]', 'The request must be an object in braces.'],
  ['{"path": "/a"}', '"operation" must be "read", "write" or "update".'],
  ['{"operation": "update", "path": "/a"}', 'An update needs a "value"'],
  ['{"operation": "read", "path": "/a", "value": 1}', '"value" is allowed only with "write" and "update".'],
  ['{"operation": "read", "operation": "write", "path": "/a", "value": 1}', '"operation" occurs twice.'],
])('[H305] %s is rejected as an explain request', (text, message) => {
  expect(parseQuestion(text)).toEqual({
    kind: 'wrong',
    problems: expect.arrayContaining([
      expect.objectContaining({ message: expect.stringContaining(message) }),
    ]),
  });
});
