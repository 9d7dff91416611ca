import { textPosition } from '@hearth/core/rules/text-position.ts';
import type { LiveCoverage } from '../replay/coverage-keeper.ts';
import { type Answer, wholeText } from './answer.ts';
import { jsonAnswer } from './api-request.ts';
import { coveragePage } from './coverage-page.ts';

/** Makes the answer that shows the coverage of a database. */
export type CoveragePrinter = (database: string, coverage: LiveCoverage) => Answer;

/** The page runs nothing and loads nothing: what stands in rules and names cannot make it. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};

/** What `/.inspect/coverage` answers. */
export function answerCoveragePage(database: string, coverage: LiveCoverage): Answer {
  const page = coveragePage(database, coverage);
  return { status: 200, headers: PAGE_HEADERS, body: wholeText(page) };
}

/** What `/.inspect/coverage.json` answers: how often each boolean expression came to what, by the rule it is in. */
export function answerCoverageJson(_database: string, { source, rules, sampledOut }: LiveCoverage): Answer {
  return jsonAnswer({
    sampledOut,
    rules: rules.map(({ kind, location, expressions }) => ({
      kind,
      location,
      expressions: expressions.map(({ span, timesTrue, timesFalse, timesInError }) => ({
        ...textPosition(source, span.start),
        text: source.slice(span.start, span.end),
        timesTrue,
        timesFalse,
        timesInError,
      })),
    })),
  });
}
