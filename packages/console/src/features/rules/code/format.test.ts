import { describe, expect, test } from 'vitest';
import { formatRules } from './format.ts';

describe('formatting', () => {
  test.each([
    [
      'one property per line',
      '{"rules":{".read":true,".write":"auth != null"}}',
      ['{', '  "rules": {', '    ".read": true,', '    ".write": "auth != null"', '  }', '}', ''],
    ],
    [
      'short lists on one line',
      '{"rules":{".indexOn":[ "a",\n"b" ]}}',
      ['{', '  "rules": {', '    ".indexOn": ["a", "b"]', '  }', '}', ''],
    ],
    ['nothing within empty braces', '{"rules":{ \n }}', ['{', '  "rules": {}', '}', '']],
    [
      'comments next to the same property',
      '{ "rules": { // all\n".read": true, /* yes */ ".write": false } }',
      ['{', '  "rules": { // all', '    ".read": true, /* yes */', '    ".write": false', '  }', '}', ''],
    ],
    [
      'comments on separate lines',
      '// top\n{\n"rules": {\n// one\n".read": true\n// end\n}}',
      ['// top', '{', '  "rules": {', '    // one', '    ".read": true', '    // end', '  }', '}', ''],
    ],
    [
      'one empty line instead of several',
      '{"rules":{".read":true,\n\n\n".write":false}}',
      ['{', '  "rules": {', '    ".read": true,', '', '    ".write": false', '  }', '}', ''],
    ],
    [
      'multi-line strings unchanged',
      '{"rules":{".read":"auth != null\n   && true"}}',
      ['{', '  "rules": {', '    ".read": "auth != null', '   && true"', '  }', '}', ''],
    ],
  ])('[C134] the result has %s', (_what, source, lines) => {
    const formatted = formatRules(source);
    expect(formatted?.split('\n')).toEqual(lines);
    expect(formatRules(formatted ?? '')).toBe(formatted);
  });

  test('[C134] an invalid document is not formatted', () => {
    expect(formatRules('{"rules": {')).toBeUndefined();
  });
});
