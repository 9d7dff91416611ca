import { examine } from '../backup/doctor.ts';
import type { Finding } from '../backup/report.ts';
import { nowMs } from '../platform/clock.ts';
import { StartFailure } from '../platform/failures.ts';
import { isLoopback } from '../platform/network-address.ts';
import { type FlagsOf, readOption } from '../platform/option.ts';
import { findCredential } from './find-server.ts';
import { examineOnline } from './online/doctor.ts';
import { partsOf } from './online/target.ts';
import { DOCTOR_OPTIONS } from './options.ts';
import { runWithProgress } from './progress.ts';
import { plural } from './rules/terminal.ts';
import { abortOnSignal } from './signals.ts';

/**
 * Runs `hearth doctor`: prints the findings about a data directory, or with `--online` about a running server. The
 * exit code is 1 if there are problems. Rejects with a `StartFailure` if the directory is not a Hearth data directory.
 */
export async function runDoctor(flags: FlagsOf<typeof DOCTOR_OPTIONS>): Promise<void> {
  const online = readOption(DOCTOR_OPTIONS.online, flags.online);
  if (online === null && (flags.project !== undefined || flags.token !== undefined))
    throw new StartFailure('--project and --token are for a running server. Give its address with --online.');
  const findings = online === null ? await examineDirectory(flags) : await examineServer(flags, online);
  const isSound = findings.every(({ verdict: result }) => result !== 'problem');
  process.stdout.write(
    readOption(DOCTOR_OPTIONS.json, flags.json)
      ? `${JSON.stringify({ sound: isSound, findings }, null, 2)}\n`
      : formatFindings(findings),
  );
  if (!isSound) process.exitCode = 1;
}

function examineDirectory(flags: FlagsOf<typeof DOCTOR_OPTIONS>): Promise<readonly Finding[]> {
  const data = readOption(DOCTOR_OPTIONS.data, flags.data);
  return runWithProgress(({ signal, stage, onShare }) => {
    stage('Checking');
    return examine(data, signal, onShare);
  });
}

function examineServer(flags: FlagsOf<typeof DOCTOR_OPTIONS>, url: string): Promise<readonly Finding[]> {
  const parts = partsOf(new URL(url));
  return examineOnline({
    ...parts,
    project: readOption(DOCTOR_OPTIONS.project, flags.project),
    // A credential must not leave this machine in clear text.
    link: parts.isTls || isLoopback(parts.host) ? findCredential(url, flags) : null,
    nowMs,
    signal: abortOnSignal(),
  });
}

/** Returns one line for each finding, then a summary line. */
function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(
    ({ verdict: result, check, message }) => `${result.padEnd(7)}  ${check.padEnd(width)}  ${message}\n`,
  );
  return `${lines.join('')}\n${summary(findings)}\n`;
}

function summary(findings: readonly Finding[]): string {
  const problems = findings.filter(({ verdict: result }) => result === 'problem').length;
  const warnings = findings.filter(({ verdict: result }) => result === 'warning').length;
  if (problems > 0) return `Found ${plural(problems, 'problem')} and ${plural(warnings, 'warning')}.`;
  return warnings === 0 ? 'No problems found.' : `No problems found, but ${plural(warnings, 'warning')}.`;
}
