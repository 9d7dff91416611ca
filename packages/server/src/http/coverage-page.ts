import type { ExpressionCoverage, RuleCoverage } from '@hearth/core/rules/coverage.ts';
import { type CoverageGap, summarizeCoverage } from '@hearth/core/rules/coverage-gaps.ts';
import type { LiveCoverage } from '../replay/coverage-keeper.ts';

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

/** A page that shows rules with what their boolean expressions came to. Needs no script. */
export function coveragePage(database: string, { source, rules, sampledOut }: LiveCoverage): string {
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
<p>${covered} of ${expressions} expressions came to both true and false since these rules are in force.
Point at one to see how often.${sampledOut === 0 ? '' : ` ${sampledOut} operations came too fast to be counted.`}</p>
<pre>${markUp(source, rules)}</pre>
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
  return `<table>\n<tr><th>place</th><th>came</th><th>expression</th></tr>\n${rows.join('')}</table>\n`;
}

/** The source with an element around every expression, outer ones around inner ones. */
function markUp(source: string, rules: readonly RuleCoverage[]): string {
  const expressions = rules.flatMap((rule) => rule.expressions);
  const marks = expressions.flatMap((expression) => [
    { at: expression.span.start, order: -expression.span.end, tag: openingTag(expression) },
    { at: expression.span.end, order: Number.NEGATIVE_INFINITY, tag: '</span>' },
  ]);
  // Where one expression ends and others begin, it ends first; of those that begin, the longest is the outer one.
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
  const errors = timesInError === 0 ? '' : `, ${timesInError} times in error`;
  const title = isNever ? 'never evaluated' : `${timesTrue} times true, ${timesFalse} times false${errors}`;
  return `<span class="${kind}" title="${title}">`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
