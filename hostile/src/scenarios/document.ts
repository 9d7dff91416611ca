import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Allowance, Scenario } from './scenario.ts';

const PAGE = join(import.meta.dirname, '../../../docs/reference/hostile-load.md');
const SECTION = /(<!-- scenarios -->\n)[\s\S]*(<!-- end scenarios -->)/;

/** Returns the table of the scenarios in Markdown. */
function formatScenarios(scenarios: readonly Scenario[]): string {
  const rows = scenarios.map(
    ({ name, attacker, bound, isShort, maxFiles, allows, weakness, proof, unproven }) => [
      `${name}${isShort === true ? ' (in `npm test`)' : ''}`,
      `${attacker}${maxFiles === undefined ? '' : ' (small)'}`,
      `${bound}${proof === undefined ? '' : ' (proven)'}${unproven === undefined ? '' : ` (not proven: ${unproven})`}`,
      weakness === undefined ? formatAllowance(allows) : `does not hold yet: ${weakness}`,
    ],
  );
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [
    '| scenario | the attacker | what bounds it | allowed beyond the common bounds |',
    '|---|---|---|---|',
    ...lines,
  ].join('\n');
}

function formatAllowance(allows: Allowance | undefined): string {
  if (allows === undefined) return '';
  const { delayMs, growthMiB, diskMiB, reason } = allows;
  const bounds = [
    ...(delayMs === undefined ? [] : [`a delay of ${delayMs} ms`]),
    ...(growthMiB === undefined ? [] : [`${growthMiB} MiB of memory`]),
    ...(diskMiB === undefined ? [] : [`${diskMiB} MiB of data`]),
  ];
  return `${bounds.join(', ')}: ${reason}`;
}

/** Returns the page with the table of the scenarios; `current` is the page as it is. */
export function formatPage(scenarios: readonly Scenario[]): {
  readonly current: string;
  readonly updated: string;
} {
  const current = readFileSync(PAGE, 'utf8');
  if (!SECTION.test(current)) throw new Error(`${PAGE} has no place for the scenarios.`);
  const table = formatScenarios(scenarios);
  return { current, updated: current.replace(SECTION, (_, start, end) => `${start}\n${table}\n\n${end}`) };
}

/** Writes the table of the scenarios to the page. */
export function writePage(scenarios: readonly Scenario[]): void {
  writeFileSync(PAGE, formatPage(scenarios).updated);
}
