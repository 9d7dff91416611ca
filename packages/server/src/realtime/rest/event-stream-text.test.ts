import { mergePush, setPush } from '@hearth/core/wire/server-messages.ts';
import { expect, test } from 'vitest';
import { patch, put } from './event-stream-test-bed.fixture.ts';
import { cancelEvent, pushEvent, putEvent } from './event-stream-text.ts';

/** A description, the push, the path of a stream, and the events of the push in plain and in export form. */
test.each<readonly [string, string, string, string, string]>([
  ['a value at the path', setPush('a', '1'), 'a', put('/', '1'), put('/', '1')],
  ['a value at the root', setPush('', 'null'), '', put('/', 'null'), put('/', 'null')],
  ['a value below the root', setPush('a/b', '1'), '', put('/a/b', '1'), put('/a/b', '1')],
  ['a value below the path', setPush('a/b/c', '"x"'), 'a/b', put('/c', '"x"'), put('/c', '"x"')],
  ['a deletion', setPush('a/b', 'null'), 'a', put('/b', 'null'), put('/b', 'null')],
  [
    'a value with a priority',
    setPush('a', '{".value":1,".priority":2}'),
    'a',
    put('/', '1'),
    put('/', '{".value":1,".priority":2}'),
  ],
  ['a priority of the path', setPush('a/.priority', '1'), 'a', '', put('/.priority', '1')],
  ['a priority of the root', setPush('.priority', '1'), '', '', put('/.priority', '1')],
  ['a priority below', setPush('a/b/.priority', 'null'), 'a', '', put('/b/.priority', 'null')],
  ['a list', setPush('a/list', '{"0":1,"1":2}'), 'a', put('/list', '[1,2]'), put('/list', '{"0":1,"1":2}')],
  ['an element of a list', setPush('a/list/1', '2'), 'a', put('/list/1', '2'), put('/list/1', '2')],
  [
    'several paths',
    mergePush('a', '{"b":{"0":1},"c/d":null}'),
    'a',
    patch('/', '{"b":[1],"c/d":null}'),
    patch('/', '{"b":{"0":1},"c/d":null}'),
  ],
  [
    'several elements of a list',
    mergePush('a/list', '{"0":1,"1":2}'),
    'a',
    patch('/list', '{"0":1,"1":2}'),
    patch('/list', '{"0":1,"1":2}'),
  ],
  [
    'a value and a priority',
    mergePush('', '{"b":1,"b/.priority":2,".priority":3}'),
    '',
    patch('/', '{"b":1}'),
    patch('/', '{"b":1,"b/.priority":2,".priority":3}'),
  ],
  [
    'priorities only',
    mergePush('a', '{"b/.priority":2,".priority":3}'),
    'a',
    '',
    patch('/', '{"b/.priority":2,".priority":3}'),
  ],
  ['a query', setPush('a', '{"k":{"n":1}}', 0), 'a', put('/', '{"k":{"n":1}}'), put('/', '{"k":{"n":1}}')],
  [
    'keys with special names',
    mergePush('a', '{"__proto__":1,"x.y":2}'),
    'a',
    patch('/', '{"__proto__":1,"x.y":2}'),
    patch('/', '{"__proto__":1,"x.y":2}'),
  ],
  [
    'a long integer',
    setPush('a', '{"n":9007199254740993}'),
    'a',
    put('/', '{"n":9007199254740993}'),
    put('/', '{"n":9007199254740993}'),
  ],
])(
  '[H152][H153][H154] the events of a push with %s have the plain and the export form',
  (_name, text, at, plain, exported) => {
    expect(pushEvent(text, at.length, 'plain')).toBe(plain);
    expect(pushEvent(text, at.length, 'export')).toBe(exported);
  },
);

test('[H152] text with line breaks is one line of data', () => {
  const text = 'a\r\nb\u2028c\u0085d';
  const lines = putEvent('"\\', JSON.stringify(text)).split(/\r\n|\r|\n/);
  expect(lines).toHaveLength(4);
  expect(JSON.parse(lines[1]?.slice('data: '.length) ?? '')).toEqual({ path: '/"\\', data: text });
});

test('[H160] the reason of a cancel event is JSON', () => {
  expect(cancelEvent('It is "over".')).toBe('event: cancel\ndata: "It is \\"over\\"."\n\n');
});
