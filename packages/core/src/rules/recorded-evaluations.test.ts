import { expect, test } from 'vitest';
import { parseQuery } from '../query/fields.ts';
import { parseNodeJson } from '../tree/node-json.ts';
import { parsePath } from '../tree/path.ts';
import { parseRules } from './compile/rules.ts';
import { isReadAllowed } from './evaluate/decide.ts';
import { NOW } from './evaluate/operations.fixture.ts';
import { PLAIN_REST_QUERY, queryVariables } from './evaluate/scope.ts';
import type { QueryVariables } from './evaluate/values.ts';
import { NodeTree } from './evaluate/views.ts';
import { explainRead } from './explain/explanation.ts';
import recorded from './recorded-verdicts.json' with { type: 'json' };

const EVALUATIONS = recorded.cases.flatMap(({ expect: { allowed }, ...recordedCase }) =>
  recordedCase.kind === 'op' && allowed !== undefined ? [{ ...recordedCase, allowed }] : [],
);

/** A query of the recorded cases. Each field has the only type that occurs in the recording. */
interface RecordedQuery {
  readonly orderByChild?: string;
  readonly orderByValue?: boolean;
  readonly startAt?: string;
  readonly endAt?: number;
  readonly equalTo?: boolean;
  readonly limitToLast?: number;
}

/**
 * Returns the `query` variable for the wire form of a recorded query. A case without a query was recorded as
 * a plain REST read.
 */
function recordedVariables(query: RecordedQuery | undefined): QueryVariables {
  if (query === undefined) return PLAIN_REST_QUERY;
  const { orderByChild, startAt, endAt, equalTo, limitToLast } = query;
  const lower = equalTo ?? startAt;
  const upper = equalTo ?? endAt;
  return queryVariables(
    parseQuery({
      i: orderByChild ?? '.value',
      ...(lower === undefined ? {} : { sp: lower }),
      ...(upper === undefined ? {} : { ep: upper }),
      ...(limitToLast === undefined ? {} : { l: limitToLast, vf: 'r' }),
    }),
  );
}

test('[R121] there are recorded evaluations of both decisions', () => {
  expect(EVALUATIONS.filter(({ allowed }) => allowed)).toHaveLength(86);
  expect(EVALUATIONS.filter(({ allowed }) => !allowed)).toHaveLength(163);
});

test.each(EVALUATIONS)('[R121] evaluation $id: $rules allows a read of $path: $allowed', (each) => {
  const rules = parseRules(JSON.stringify(each.rules));
  const read = {
    auth: each.auth,
    now: NOW,
    tree: new NodeTree(parseNodeJson(JSON.stringify(each.data))),
    path: parsePath(each.path),
    query: recordedVariables(each.query),
  };
  expect(isReadAllowed(rules, read)).toBe(each.allowed);
  expect(explainRead(rules, read).isAllowed).toBe(each.allowed);
});
