import { examine } from '../backup/doctor.ts';
import type { Finding } from '../backup/finding.ts';
import { DOCTOR_OPTIONS } from '../ops/command-options.ts';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { watchWork } from './watch-work.ts';

/**
 * `hearth doctor`: prints what is found in a data directory. The exit code is 1 when there are problems. Rejects with a
 * `StartFailure` when there is nothing to look at.
 */
export async function runDoctor(flags: FlagsOf<typeof DOCTOR_OPTIONS>): Promise<void> {
  const data = readOption(DOCTOR_OPTIONS.data, flags.data);
  const findings = await watchWork(({ signal, stage, onShare }) => {
    stage('Checking');
    return examine(data, signal, onShare);
  });
  const isSound = findings.every(({ verdict }) => verdict !== 'problem');
  process.stdout.write(
    readOption(DOCTOR_OPTIONS.json, flags.json)
      ? `${JSON.stringify({ sound: isSound, findings }, null, 2)}\n`
      : formatFindings(findings),
  );
  if (!isSound) process.exitCode = 1;
}

/** One line for each finding, and one for all of them. */
function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(
    ({ verdict, check, message }) => `${verdict.padEnd(7)}  ${check.padEnd(width)}  ${message}\n`,
  );
  return `${lines.join('')}\n${summary(findings)}\n`;
}

function summary(findings: readonly Finding[]): string {
  const problems = findings.filter(({ verdict }) => verdict === 'problem').length;
  const warnings = findings.filter(({ verdict }) => verdict === 'warning').length;
  if (problems > 0) return `Not sound: ${plural(problems, 'problem')}, ${plural(warnings, 'warning')}.`;
  return warnings === 0 ? 'Sound.' : `Sound, with ${plural(warnings, 'warning')}.`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
