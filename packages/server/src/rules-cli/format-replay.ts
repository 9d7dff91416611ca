import type { Paint } from './paint.ts';
import { plural } from './plural.ts';
import { printable } from './printable.ts';
import type { ReplayGroup, ReplayReport } from './replay-report.ts';

/** Longest text of an example or an expression, in characters. */
const MAX_TEXT = 160;

/** What a draft would have changed: for each rule how often, with examples. */
export function formatReplay(report: ReplayReport, draft: string, paint: Paint): readonly string[] {
  const { operations, allowedToDenied, deniedToAllowed } = report;
  if (operations === 0)
    return ['No operations were recorded: in development mode they are, as long as the server runs.'];
  const missing = formatMissing(report);
  const left = missing === undefined ? [] : ['', missing];
  const changed = [...allowedToDenied, ...deniedToAllowed].reduce((sum, { count }) => sum + count, 0);
  if (changed === 0)
    return [
      `${paint('green', `${draft} changes nothing`)} for ${plural(operations, 'recorded operation')}.`,
      ...left,
    ];
  return [
    `${draft} changes the verdict on ${changed.toLocaleString('en')} of ${plural(operations, 'recorded operation')}.`,
    ...formatGroups(paint('red', 'Allowed before, denied by the draft'), allowedToDenied),
    ...formatGroups(paint('yellow', 'Denied before, allowed by the draft'), deniedToAllowed),
    ...left,
  ];
}

/** A sentence on what was not recorded; `undefined` if everything was. */
function formatMissing({ notRecorded, sampledOut }: ReplayReport): string | undefined {
  const [first, second] = [
    { count: notRecorded, why: 'were too long to be recorded' },
    { count: sampledOut, why: 'came too fast to be recorded' },
  ].filter(({ count }) => count > 0);
  if (first === undefined) return undefined;
  const also = second === undefined ? '' : `, and ${second.count.toLocaleString('en')} that ${second.why}`;
  return `Not among them: ${plural(first.count, 'operation')} that ${first.why}${also}.`;
}

function formatGroups(title: string, groups: readonly ReplayGroup[]): readonly string[] {
  if (groups.length === 0) return [];
  const width = Math.max(...groups.map(({ count }) => String(count).length));
  return [
    '',
    title,
    ...groups.flatMap(({ rule, text, count, examples }) => [
      `  ${String(count).padStart(width)}  ${rule === null ? 'no rule' : `${rule}: ${cut(printable(text))}`}`,
      ...examples.map((example) => `  ${' '.repeat(width)}    ${formatExample(example)}`),
    ]),
  ];
}

function formatExample(example: unknown): string {
  return cut(printable(JSON.stringify(example) ?? ''));
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}
