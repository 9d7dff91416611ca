import { expect, test } from 'vitest';
import { constantValue } from './constant-value.ts';
import { codesIn, findRows, linksIn } from './document-table.ts';
import { declarationsOf } from './module-declarations.ts';
import { readText } from './repository.ts';
import { kindNames, memberNames } from './type-shape.ts';

const ENTITIES = 'docs/reference/entities.md';
const PRODUCT = 'docs/product.md';
const entities = readText(ENTITIES);
const rows = findRows({ path: PRODUCT, text: readText(PRODUCT) });

/**
 * For each section of the document of entities: the type that the line `Declared as` links to, and the members in the
 * table.
 */
const documented = entities
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [link] = linksIn(ENTITIES, /^Declared as .*$/m.exec(section)?.[0] ?? '');
    const members = findRows({ path: ENTITIES, text: section }).map(({ cells }) =>
      codesIn(cells['member'] ?? ''),
    );
    return { title: section.split('\n', 1).join(''), link, members: members.flat() };
  });

test.each(documented)('[P34] the members of $title are documented', ({ link, members }) => {
  expect(members).toEqual(memberNames(declarationsOf(link?.target ?? ''), link?.text ?? ''));
  expect(members).not.toEqual([]);
});

const unions = rows.filter(({ cells }) => 'cases' in cells);

test.each(unions.map(({ cells }) => [cells['what'], cells] as const))(
  '[P35] all cases of %s are documented',
  (_what, cells) => {
    const [link] = linksIn(PRODUCT, cells['declared'] ?? '');
    const cases = codesIn(cells['cases'] ?? '');
    expect(cases).toEqual(kindNames(declarationsOf(link?.target ?? ''), link?.text ?? ''));
    expect(cases).not.toEqual([]);
  },
);

test('[P35] the filter of the console offers every audit event', () => {
  const [offered, events] = [
    constantValue(declarationsOf('packages/console/src/api/audit.ts'), 'AUDIT_EVENTS'),
    constantValue(declarationsOf('packages/server/src/audit/trail.ts'), 'AUDIT_EVENTS'),
  ];
  expect(offered).toEqual(Object.keys(Object(events)));
});

test('[P35] every documented audit event exists', () => {
  const named = rows.flatMap(({ cells }) => codesIn(cells['in the audit'] ?? ''));
  const events = constantValue(declarationsOf('packages/server/src/audit/trail.ts'), 'AUDIT_EVENTS');
  expect(Object.keys(Object(events))).toEqual(expect.arrayContaining(named));
  expect(named).not.toEqual([]);
});
