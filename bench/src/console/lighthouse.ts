import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TemporaryDirectory } from '../measure/directory.ts';
import { runCommand } from '../server/command.ts';
import { CHROMIUM, CHROMIUM_ARGS } from './browser.ts';

/**
 * Machine and network of a Lighthouse run: `desktop` has 10 Mbit/s and a round trip of 40 ms; `mobile` is
 * four times slower than this machine, with 1.6 Mbit/s and a round trip of 150 ms.
 */
export type LighthousePreset = 'desktop' | 'mobile';

const MAX_WAIT_MS = 15_000;

/** Lighthouse sometimes fails to record a page load, and prints this message. */
const RUN_AGAIN = 'Please run Lighthouse again';
const MAX_RUNS = 3;

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

/** The scores of a page in each category, from 0 to 100. */
export type LighthouseScores = Readonly<Record<(typeof CATEGORIES)[number], number>>;

const PROGRAM = {
  name: 'lighthouse',
  arguments: [fileURLToPath(new URL('../../peers/node_modules/lighthouse/cli/index.js', import.meta.url))],
};

/** Runs Lighthouse on a page, in its own browser with an empty cache. Throws if Lighthouse fails. */
export async function runLighthouse(url: string, preset: LighthousePreset): Promise<LighthouseScores> {
  using directory = new TemporaryDirectory();
  const path = join(directory.path, 'report.json');
  const args = [
    url,
    // `mobile` is Lighthouse's default and has no preset name.
    ...(preset === 'mobile' ? [] : [`--preset=${preset}`]),
    `--only-categories=${CATEGORIES.join(',')}`,
    '--output=json',
    `--output-path=${path}`,
    `--chrome-path=${CHROMIUM}`,
    `--chrome-flags=${['--headless=new', ...CHROMIUM_ARGS].join(' ')}`,
    // A page with live updates never becomes idle, so Lighthouse would wait forever.
    `--max-wait-for-load=${MAX_WAIT_MS}`,
    '--no-enable-error-reporting',
    '--quiet',
  ];
  for (let run = 1; ; run += 1) {
    const { code, output } = await runCommand(PROGRAM, args).ended;
    if (code === 0) break;
    if (run === MAX_RUNS || !output.includes(RUN_AGAIN))
      throw new Error(`lighthouse exited with code ${code}:\n${output}`);
  }
  return readScores(JSON.parse(readFileSync(path, 'utf8')));
}

/** The used part of a report. */
interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
}

function readScores({ categories }: Report): LighthouseScores {
  const scoreOf = (category: string): number => {
    const score = categories[category]?.score;
    if (typeof score !== 'number') throw new Error(`lighthouse reported no score for ${category}`);
    return Math.round(score * 100);
  };
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
  };
}
