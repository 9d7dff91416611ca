import { expect, test } from 'vitest';
import { findNamespace, namespaceOf } from './namespace.ts';

test.each([
  ['localhost:9000', 'ns=one', 'one'],
  ['two.db.example', 'ns=one', 'one'],
  ['two.db.example', 'ns=ONE&ns=three', 'one'],
  ['two.db.example', 'ns=', 'two'],
  ['Two.db.example:443', '', 'two'],
  ['two.db.example.', '', 'two'],
  ['db.example', '', undefined],
  ['localhost', '', undefined],
  ['ns.localhost', '', undefined],
  ['127.0.0.1:9000', '', undefined],
  ['[2001:db8::1]:9000', '', undefined],
  [undefined, '', undefined],
])('[H1][H2] the host %s and the query "%s" name the database %s', (host, query, namespace) => {
  expect(findNamespace(host, new URLSearchParams(query))).toBe(namespace);
});

test('[H3] a request that names no database uses the default, if there is one', () => {
  const query = new URLSearchParams();
  expect(namespaceOf('localhost', query, 'fake-server')).toBe('fake-server');
  expect(() => namespaceOf('localhost', query, null)).toThrow('The request names no database');
});

test.each([['a.b'], ['a_b'], ['a b'], ['é'], ['../x'], ['a'.repeat(64)]])(
  '[H4] the database name "%s" is rejected',
  (name) => {
    expect(() => findNamespace('localhost', new URLSearchParams({ ns: name }))).toThrow(
      'A database name has',
    );
  },
);
