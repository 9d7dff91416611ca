import type { Paint } from './paint.ts';
import { plural } from './plural.ts';
import { printable } from './printable.ts';
import type { ReplayGroup, ReplayReport } from './replay-report.ts';

/** Longest text of an example or an expression, in characters. */
const MAX_TEXT = 160;

/** What a draft would have changed: for each rule how often, with examples. */
export function formatReplay(report: ReplayReport, draft: string, paint: Paint): readonly string[] {
  const { operations, notRecorded, allowedToDenied, deniedToAllowed } = report;
  if (operations === 0)
    return ['No operations were recorded: in development mode they are, as long as the server runs.'];
  const left =
    notRecorded === 0
      ? []
      : ['', `${plural(notRecorded, 'operation')} too long to be recorded are not among them.`];
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

function formatGroups(title: string, groups: readonly ReplayGroup[]): readonly string[] {
  if (groups.length === 0) return [];
  const width = Math.max(...groups.map(({ count }) => String(count).length));
  return [
    '',
    title,
    ...groups.flatMap(({ rule, text, count, examples }) => [
      `  ${String(count).padStart(width)}  ${rule === null ? 'no rule' : `${rule}: ${cut(text)}`}`,
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
