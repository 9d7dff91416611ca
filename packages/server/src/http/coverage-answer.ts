import type { RuleCoverage } from '@hearth/core/rules/coverage.ts';
import { textPosition } from '@hearth/core/rules/text-position.ts';
import { type Answer, wholeText } from './answer.ts';
import { jsonAnswer } from './api-request.ts';
import { coveragePage } from './coverage-page.ts';

/** What became of the rules of a database since they are in force. */
export interface LiveCoverage {
  readonly source: string;
  readonly rules: readonly RuleCoverage[];
}

/** The page runs nothing and loads nothing: what stands in rules and names cannot make it. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};

/** What `/.inspect/coverage` answers. */
export function answerCoveragePage(database: string, { source, rules }: LiveCoverage): Answer {
  const page = coveragePage(database, source, rules);
  return { status: 200, headers: PAGE_HEADERS, body: wholeText(page) };
}

/** What `/.inspect/coverage.json` answers: how often each boolean expression came to what, by the rule it is in. */
export function answerCoverageJson({ source, rules }: LiveCoverage): Answer {
  return jsonAnswer({
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
