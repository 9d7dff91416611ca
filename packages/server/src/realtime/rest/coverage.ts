import {
  type CoverageGap,
  type ExpressionCoverage,
  type RuleCoverage,
  summarizeCoverage,
} from '@hearth/core/rules/explain/coverage.ts';
import { LineIndex } from '@hearth/core/rules/syntax/problems.ts';
import type { Area } from '../../http/area.ts';
import { COMMON_HEADERS } from '../../http/errors.ts';
import { answerNotFound } from '../../http/not-found.ts';
import { parseRequestTarget } from '../../http/request-target.ts';
import { type Answer, jsonAnswer, sendAnswer, wholeText } from '../../http/response.ts';
import { type AreaRoute, pathPolicy, routedArea } from '../../http/routed-area.ts';
import type { CoverageRecorder, LiveCoverage } from '../../rules/recorder/coverage.ts';
import { namespaceOf } from './namespace.ts';

/** Paths of the coverage page and of its data as JSON. */
const COVERAGE_PAGE = '/.inspect/coverage';
const COVERAGE_JSON = '/.inspect/coverage.json';

/** Returns whether a request target is the coverage page or its JSON. */
export function isCoverageUrl(url: string): boolean {
  const [pathname] = url.split('?', 1);
  return pathname === COVERAGE_PAGE || pathname === COVERAGE_JSON;
}

/** Owns the paths of coverage in every mode, so that pages of other origins cannot read even a 404. */
export const COVERAGE_POLICY = pathPolicy(
  (path) => path === COVERAGE_PAGE || path === COVERAGE_JSON,
  COMMON_HEADERS,
);

/**
 * Returns the area that reports the coverage of a database's rules, at the paths of the official emulator.
 * Test suites request it without credentials. `coverage` is `null` outside development mode, where the paths
 * do not exist.
 */
export function coverageArea(
  coverage: Pick<CoverageRecorder, 'read'> | null,
  defaultNamespace: string | null,
): Area {
  const routesOf = (path: string, print: CoverageRenderer): readonly AreaRoute[] =>
    coverage === null
      ? []
      : ['GET', 'HEAD'].map((method) => ({
          method,
          path,
          async answer(request, response) {
            const { query } = parseRequestTarget(request.url);
            const database = namespaceOf(request.headers.host, query, defaultNamespace);
            const answer = print(database, await coverage.read(database));
            return sendAnswer(request, response, answer, COMMON_HEADERS);
          },
        }));
  return routedArea({
    policy: COVERAGE_POLICY,
    errors: { headers: COMMON_HEADERS },
    routes: [...routesOf(COVERAGE_PAGE, answerCoveragePage), ...routesOf(COVERAGE_JSON, answerCoverageJson)],
    namesMethods: false,
    answerNotFound: (request, response) => answerNotFound(request, response, COMMON_HEADERS),
  });
}

/** A function that creates the response with the coverage of a database. */
export type CoverageRenderer = (database: string, coverage: LiveCoverage) => Answer;

/** The page runs no scripts and loads nothing, so text in rules and names cannot make it do so. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
};

/** Returns the response of `/.inspect/coverage`. */
export function answerCoveragePage(database: string, coverage: LiveCoverage): Answer {
  const page = coveragePage(database, coverage);
  return { status: 200, headers: PAGE_HEADERS, body: wholeText(page) };
}

/**
 * Maximum number of expressions in one response, and maximum length of each in characters. The subexpressions
 * of a long expression repeat nearly all of its text.
 */
const MAX_EXPRESSIONS = 20_000;
const MAX_TEXT = 200;

/**
 * Returns the response of `/.inspect/coverage.json`: for each rule, how often each of its boolean expressions
 * was true, was false or failed.
 */
export function answerCoverageJson(_database: string, { source, rules, sampledOut }: LiveCoverage): Answer {
  const lines = new LineIndex(source);
  let remaining = MAX_EXPRESSIONS;
  const listed = rules.map(({ kind, location, expressions }) => {
    const shown = expressions.slice(0, remaining);
    remaining -= shown.length;
    return { kind, location, expressions: shown.map((each) => describe(each, source, lines)) };
  });
  const total = rules.reduce((sum, { expressions }) => sum + expressions.length, 0);
  return jsonAnswer({ sampledOut, notListed: total - (MAX_EXPRESSIONS - remaining), rules: listed });
}

function describe({ span, ...times }: ExpressionCoverage, source: string, lines: LineIndex): unknown {
  const isLong = span.end - span.start > MAX_TEXT;
  const text = source.slice(span.start, isLong ? span.start + MAX_TEXT : span.end);
  return { ...lines.positionOf(span.start), text: isLong ? `${text}…` : text, ...times };
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
  pre, td.text { font: 14px/1.6 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
  pre { border: 1px solid #8886; border-radius: 6px; padding: 1rem; }
  table { border-collapse: collapse; }
  td, th { text-align: left; vertical-align: top; padding: .2rem 1.2rem .2rem 0; }
  .both { background: #2a22; }
  .part { background: #e903; }
  .never { background: #d222; }
  .part, .never, .both { border-radius: 3px; }
  .part:hover, .never:hover, .both:hover { outline: 1px solid currentcolor; }
`;

/**
 * Returns an HTML page with the rules and the results of their boolean expressions. The page needs no script.
 */
function coveragePage(database: string, { source, rules, sampledOut }: LiveCoverage): string {
  const { expressions, covered, gaps } = summarizeCoverage(source, rules);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Coverage of the rules of ${escapeHtml(database)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Coverage of the rules of ${escapeHtml(database)}</h1>
<p>${covered} of ${expressions} expressions evaluated to both true and false under the current rules.
Hover over an expression to see its counts.${sampledOut === 0 ? '' : ` ${sampledOut} operations were not counted because of high load.`}</p>
<pre>${highlightSource(source, rules)}</pre>
${gapTable(gaps)}</body>
</html>
`;
}

function gapTable(gaps: readonly CoverageGap[]): string {
  if (gaps.length === 0) return '';
  const rows = gaps.map(
    ({ line, column, gap, text }) =>
      `<tr><td>${line}:${column}</td><td>${gap}</td><td class="text">${escapeHtml(text)}</td></tr>\n`,
  );
  return `<table>\n<tr><th>location</th><th>gap</th><th>expression</th></tr>\n${rows.join('')}</table>\n`;
}

/**
 * Returns the source as HTML with an element around every expression. Elements of outer expressions contain
 * those of inner ones.
 */
function highlightSource(source: string, rules: readonly RuleCoverage[]): string {
  const expressions = rules.flatMap((rule) => rule.expressions);
  const marks = expressions.flatMap((expression) => [
    { at: expression.span.start, order: -expression.span.end, tag: openingTag(expression) },
    { at: expression.span.end, order: Number.NEGATIVE_INFINITY, tag: '</span>' },
  ]);
  // At the same position, end tags come before start tags. Of several start tags, that of the longest
  // expression comes first, because it is the outer one.
  marks.sort((a, b) => a.at - b.at || (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
  let html = '';
  let done = 0;
  for (const { at, tag } of marks) {
    html += escapeHtml(source.slice(done, at)) + tag;
    done = at;
  }
  return html + escapeHtml(source.slice(done));
}

function openingTag({ timesTrue, timesFalse, timesInError }: ExpressionCoverage): string {
  const isNever = timesTrue + timesFalse + timesInError === 0;
  const kind = isNever ? 'never' : timesTrue > 0 && timesFalse > 0 ? 'both' : 'part';
  const errors = timesInError === 0 ? '' : `, errors: ${timesInError}`;
  const title = isNever ? 'never evaluated' : `true: ${timesTrue}, false: ${timesFalse}${errors}`;
  return `<span class="${kind}" title="${title}">`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
