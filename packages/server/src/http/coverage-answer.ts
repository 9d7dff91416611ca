import type { ExpressionCoverage } from '@hearth/core/rules/coverage.ts';
import { LineIndex } from '@hearth/core/rules/line-index.ts';
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

/** Most expressions that one answer lists, and most characters of each: parts of a long one hold nearly all of it again. */
const MAX_EXPRESSIONS = 20_000;
const MAX_TEXT = 200;

/** What `/.inspect/coverage.json` answers: how often each boolean expression came to what, by the rule it is in. */
export function answerCoverageJson(_database: string, { source, rules, sampledOut }: LiveCoverage): Answer {
  const lines = new LineIndex(source);
  let room = MAX_EXPRESSIONS;
  const listed = rules.map(({ kind, location, expressions }) => {
    const shown = expressions.slice(0, room);
    room -= shown.length;
    return { kind, location, expressions: shown.map((each) => describe(each, source, lines)) };
  });
  const total = rules.reduce((sum, { expressions }) => sum + expressions.length, 0);
  return jsonAnswer({ sampledOut, notListed: total - (MAX_EXPRESSIONS - room), rules: listed });
}

function describe({ span, ...times }: ExpressionCoverage, source: string, lines: LineIndex): unknown {
  const isLong = span.end - span.start > MAX_TEXT;
  const text = source.slice(span.start, isLong ? span.start + MAX_TEXT : span.end);
  return { ...lines.positionOf(span.start), text: isLong ? `${text}…` : text, ...times };
}
