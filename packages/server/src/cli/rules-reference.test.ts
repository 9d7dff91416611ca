import { readFileSync } from 'node:fs';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { expect, test } from 'vitest';
import { formatTestReport, parseCasesOrThrow, testRules } from './rules/check.ts';
import { PLAIN } from './rules/terminal.ts';

/** Returns the first code block below a heading of a reference document. */
function findBlock(name: string, heading: string): string {
  const text = readFileSync(new URL(`../../../../docs/reference/${name}`, import.meta.url), 'utf8');
  const section = text.slice(text.indexOf(heading));
  return /```\w*\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
}

const RULES = `{
  "rules": {
    "rooms": {
      "$room": {
        ".read": "auth != null",
        ".write": "auth != null && data.child('open').val() == true"
      }
    }
  }
}`;

test('[R200] the example in the reference is a valid case file', () => {
  const cases = parseCasesOrThrow({ name: 'cases', source: findBlock('rule-cases.md', '# Files of cases') });
  expect(cases.map(({ name }) => name)).toEqual([
    'guests stay out',
    'alice writes /rooms/lobby/topic',
    'moderator removes /rooms/lobby',
    'bob updates /',
    'alice reads /rooms',
    'bob reads /rooms/lobby',
  ]);
});

test('[H281] a failed case is printed as in the reference', () => {
  const source = `{
  "cases": [
    { "as": "alice", "write": "/rooms/lobby/topic", "value": "tea", "expect": "allow" }
  ]
}`;
  const cases = { name: 'chat.cases.json', source };
  const report = testRules(parseRules(RULES), parseCasesOrThrow(cases), 0, false);
  const files = { rules: { name: 'database.rules.json', source: RULES }, cases };
  expect(`${formatTestReport(report, files, PLAIN).join('\n')}\n`).toBe(
    findBlock('cli.md', '## hearth rules test'),
  );
});
