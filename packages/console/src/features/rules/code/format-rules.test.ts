import { describe, expect, test } from 'vitest';
import { formatRules } from './format.ts';

describe('formatting', () => {
  test.each([
    [
      'a property a line',
      '{"rules":{".read":true,".write":"auth != null"}}',
      ['{', '  "rules": {', '    ".read": true,', '    ".write": "auth != null"', '  }', '}', ''],
    ],
    [
      'short lists on a line',
      '{"rules":{".indexOn":[ "a",\n"b" ]}}',
      ['{', '  "rules": {', '    ".indexOn": ["a", "b"]', '  }', '}', ''],
    ],
    ['nothing within empty braces', '{"rules":{ \n }}', ['{', '  "rules": {}', '}', '']],
    [
      'comments beside what they were beside',
      '{ "rules": { // all\n".read": true, /* yes */ ".write": false } }',
      ['{', '  "rules": { // all', '    ".read": true, /* yes */', '    ".write": false', '  }', '}', ''],
    ],
    [
      'comments on lines of their own',
      '// top\n{\n"rules": {\n// one\n".read": true\n// end\n}}',
      ['// top', '{', '  "rules": {', '    // one', '    ".read": true', '    // end', '  }', '}', ''],
    ],
    [
      'one empty line where there were some',
      '{"rules":{".read":true,\n\n\n".write":false}}',
      ['{', '  "rules": {', '    ".read": true,', '', '    ".write": false', '  }', '}', ''],
    ],
    [
      'strings over several lines as they are',
      '{"rules":{".read":"auth != null\n   && true"}}',
      ['{', '  "rules": {', '    ".read": "auth != null', '   && true"', '  }', '}', ''],
    ],
  ])('[C134] leaves %s', (_what, source, lines) => {
    const formatted = formatRules(source);
    expect(formatted?.split('\n')).toEqual(lines);
    expect(formatRules(formatted ?? '')).toBe(formatted);
  });

  test('[C134] what is no document is not formatted', () => {
    expect(formatRules('{"rules": {')).toBeUndefined();
  });
});
