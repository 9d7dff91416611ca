import { expect, test } from 'vitest';
import { RequestError } from '../../error/request-error.ts';
import { strictRules } from './document.ts';

test.each([
  ['{}', '{}'],
  ['/* a */ { // b\n "rules" : { ".read" : true } }\n', '{"rules":{".read":true}}'],
  ['{"a":["x" , "y"],"b":[],"c":null,"d":-1.50e3}', '{"a":["x","y"],"b":[],"c":null,"d":-1.50e3}'],
  ['{".read":"auth !=\n\tnull // not a comment"}', '{".read":"auth !=\\n\\tnull // not a comment"}'],
  ['{"é\\u0041":"\\"\\\\"}', '{"éA":"\\"\\\\"}'],
])('[H70] %j without comments is %s', (source, strict) => {
  expect(strictRules(source)).toBe(strict);
  expect(JSON.parse(strictRules(source))).toEqual(JSON.parse(strict));
});

test('[H70] what is no document is refused', () => {
  expect(() => strictRules('{')).toThrow(RequestError);
});
