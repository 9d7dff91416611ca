import type { Finding } from '../../backup/report.ts';
import { checkAnswers, checkPlainHttp, checkShortcuts, checkWebSocket } from './answers.ts';
import { checkDns, checkPorts, checkTls } from './network.ts';
import { checkMail, checkMembers, checkRules } from './project.ts';
import type { OnlineCheck, OnlineTarget } from './target.ts';

/** The checks, in the order in which their findings are shown. */
const CHECKS: readonly OnlineCheck[] = [
  checkDns,
  checkTls,
  checkPlainHttp,
  checkAnswers,
  checkWebSocket,
  checkShortcuts,
  checkPorts,
  checkRules,
  checkMembers,
  checkMail,
];

/** Examines a running installation as an outsider sees it, and with a credential as its administrator sees it. */
export async function examineOnline(target: OnlineTarget): Promise<readonly Finding[]> {
  const found = await Promise.all(CHECKS.map((check) => check(target)));
  target.signal.throwIfAborted();
  return found.flat();
}
