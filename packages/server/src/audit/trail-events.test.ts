import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AUDIT_EVENTS } from './trail.ts';

const REFERENCE = new URL('../../../../docs/reference/audit-events.md', import.meta.url);

test('[I509] the reference lists the audit events in the order of the table', () => {
  const listed = readFileSync(REFERENCE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(listed).toEqual(Object.entries(AUDIT_EVENTS).map(([event, text]) => `| \`${event}\` | ${text} |`));
});
