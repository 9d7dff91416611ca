import { expect, test } from 'vitest';
import type { ListedDenial } from '../../../api/denials.ts';
import { ENGLISH, mountView } from '../../../ui/mounted-view.fixture.tsx';
import { ReasonLine } from './reason-line.tsx';

const RULE = { kind: 'read', location: '/rooms/$id', text: 'auth.uid == $id' } as const;
const COMPARED = {
  condition: 'auth.uid\n == $id',
  outcome: 'false',
  error: null,
  values: [
    { text: 'auth.uid', value: { kind: 'scalar', value: 'u1' } },
    { text: '$id', value: { kind: 'scalar', value: 'r1' } },
  ],
} as const;

test.each<[string, Pick<ListedDenial, 'rule' | 'reason'>, string]>([
  [
    'a comparison',
    { rule: RULE, reason: COMPARED },
    'auth.uid == $id is false (auth.uid = "u1", $id = "r1")',
  ],
  [
    'a condition without values',
    { rule: RULE, reason: { ...COMPARED, condition: 'false', values: [] } },
    'false is false',
  ],
  [
    'an error',
    { rule: RULE, reason: { ...COMPARED, outcome: 'error', error: 'auth is null.', values: [] } },
    'auth.uid == $id has no value: auth is null.',
  ],
  ['the lack of a rule', { rule: null, reason: null }, 'No rule allows this'],
  ['nothing, if the parts of the rule were not recorded', { rule: RULE, reason: null }, ''],
])('[C462] the line of a denial says why the operation was denied: %s', async (_what, denial, text) => {
  const view = await mountView(
    <p>
      <ReasonLine denial={denial} />
      <i>end</i>
    </p>,
  );
  await expect.poll(() => view.textContent).toBe(`${text}end`);
});

test('[C462] in Arabic, the sentence shows the condition from left to right, as code', async () => {
  const view = await mountView(<ReasonLine denial={{ rule: RULE, reason: COMPARED }} />, {
    ...ENGLISH,
    language: 'ar',
  });
  await expect.poll(() => view.textContent).toBe('الشرط auth.uid == $id خاطئ (auth.uid = "u1", $id = "r1")');
  expect(view.querySelector('bdi')?.dir).toBe('ltr');
});
