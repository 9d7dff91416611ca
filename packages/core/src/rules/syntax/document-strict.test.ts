import { expect, test } from 'vitest';
import { RequestError } from '../../error/request-error.ts';
import { toStrictRulesJson } from './document.ts';

test.each([
  ['{}', '{}'],
  ['/* a */ { // b\n "rules" : { ".read" : true } }\n', '{"rules":{".read":true}}'],
  ['{"a":["x" , "y"],"b":[],"c":null,"d":-1.50e3}', '{"a":["x","y"],"b":[],"c":null,"d":-1.50e3}'],
  ['{".read":"auth !=\n\tnull // not a comment"}', '{".read":"auth !=\\n\\tnull // not a comment"}'],
  ['{"é\\u0041":"\\"\\\\"}', '{"éA":"\\"\\\\"}'],
])('[H70] %j without comments is %s', (source, strict) => {
  expect(toStrictRulesJson(source)).toBe(strict);
  expect(JSON.parse(toStrictRulesJson(source))).toEqual(JSON.parse(strict));
});

test('[H70] a text that is not a rules document is rejected', () => {
  expect(() => toStrictRulesJson('{')).toThrow(RequestError);
});
