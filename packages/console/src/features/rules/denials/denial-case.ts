import type { WholeDenial } from '../../../server/rules-denials.ts';
import type { CaseJson } from '../cases/add-case.ts';
import { parseForm } from '../simulator/question-form.ts';
import { questionOf } from './denial-question.ts';

/** What was denied as a test case that expects it to be; with the values that rules looked at, if the log keeps them. */
export function caseOf(denial: WholeDenial): CaseJson {
  const parsed = parseForm(questionOf(denial));
  if (parsed.kind === 'wrong') return { read: denial.paths[0] ?? '/', expect: 'deny' };
  const { operation, path, auth, ...rest } = parsed.question;
  const seen = (denial.values?.reads ?? []).filter(({ kind, value }) => kind === 'value' && value !== null);
  return {
    as: auth,
    [operation]: path,
    ...rest,
    now: denial.timeMs,
    ...(seen.length === 0 ? {} : { with: Object.fromEntries(seen.map((read) => [read.path, read.value])) }),
    expect: 'deny',
  };
}
