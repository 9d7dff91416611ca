import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathArbitrary, treeArbitrary } from '../tree/node.arbitrary.ts';
import { exportJson } from '../tree/node-json.ts';
import { formatPath } from '../tree/path.ts';
import { listenRevokedPush, mergePush, parsePush, setPush } from './server-messages.ts';

test.each([
  [setPush('a/b', '1'), { kind: 'set', path: 'a/b', json: '1' }],
  [setPush('', 'null', 7), { kind: 'set', path: '', json: 'null' }],
  [setPush('"\\', '"}}}"', 7), { kind: 'set', path: '"\\', json: '"}}}"' }],
  [setPush('a', '{"x":1,"t":7}'), { kind: 'set', path: 'a', json: '{"x":1,"t":7}' }],
  [setPush('a', '",\\"t\\":7"'), { kind: 'set', path: 'a', json: '",\\"t\\":7"' }],
  [mergePush('a', '{"b":1}'), { kind: 'merge', path: 'a', json: '{"b":1}' }],
  [
    mergePush('a', '{"b/.priority":null}', 123456),
    { kind: 'merge', path: 'a', json: '{"b/.priority":null}' },
  ],
])('[H152] %s is parsed', (text, push) => {
  expect(parsePush(text)).toEqual(push);
});

test('[H152] parsing a push gives the parts from which it was made', () => {
  fc.assert(
    fc.property(pathArbitrary, treeArbitrary, fc.option(fc.nat(), { nil: undefined }), (at, tree, tag) => {
      const [path, json] = [formatPath(at), exportJson(tree)];
      expect(parsePush(setPush(path, json, tag))).toEqual({ kind: 'set', path, json });
      expect(parsePush(mergePush(path, json, tag))).toEqual({ kind: 'merge', path, json });
    }),
  );
});

test('[H152] parsing a message that is not a data push throws', () => {
  expect(() => parsePush(listenRevokedPush('a'))).toThrow('Bug');
});
