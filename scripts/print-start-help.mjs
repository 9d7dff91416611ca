// Runs under Node 20 without installed packages.
import { readFileSync } from 'node:fs';
import { ROOT } from './paths.mjs';

const SECTION = '## hearth dev';

/**
 * Prints the options of `npm start` from the reference of the command line. The program itself, which also prints them, can
 * only run once packages are installed.
 */
export function printStartHelp() {
  const [, after = ''] = readFileSync(`${ROOT}docs/reference/cli.md`, 'utf8').split(`\n${SECTION}\n`);
  const [section = ''] = after.split('\n## ');
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| `--'))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').replaceAll('`', '')));
  const width = Math.max(...rows.map(([flag = '']) => flag.length));
  const options = rows.map((cells) => `  ${(cells[0] ?? '').padEnd(width)}  ${cells.at(-1)}\n`);
  process.stdout.write(
    `Usage: npm start -- [options]\n\nInstalls what is missing, and serves in development mode.\n\n`,
  );
  process.stdout.write(options.join(''));
}
