import type { AnswerJson } from './answer-json.ts';
import { askServer, type DatabaseServer } from './database-server.ts';
import { parseRuleName } from './trace-answer.ts';

/** Operations that the draft decides otherwise, by the rule that decided. */
export interface ReplayGroup {
  /** The rule of the draft that decides, as `.write of /rooms/$id`; `null` where there is none. */
  readonly rule: string | null;
  /** Its expression; empty where there is none. */
  readonly text: string;
  readonly count: number;
  /** Cases for `hearth rules test`. */
  readonly examples: readonly unknown[];
}

/** What draft rules would have changed. */
export interface ReplayReport {
  readonly operations: number;
  /** Operations that were too long to be recorded. */
  readonly notRecorded: number;
  /** Operations that came too fast to be recorded. */
  readonly sampledOut: number;
  readonly allowedToDenied: readonly ReplayGroup[];
  readonly deniedToAllowed: readonly ReplayGroup[];
}

/** Has the server decide recent operations by draft rules. */
export async function replayRules(server: DatabaseServer, source: string): Promise<ReplayReport> {
  const answer = await askServer(server, 'POST', 'rules/replay', JSON.stringify({ source }));
  return {
    operations: answer.member('operations').number(),
    notRecorded: answer.member('notRecorded').number(),
    sampledOut: answer.member('sampledOut').number(),
    allowedToDenied: answer.member('allowedToDenied').items().map(parseGroup),
    deniedToAllowed: answer.member('deniedToAllowed').items().map(parseGroup),
  };
}

/** All examples of a report. */
export function examplesOf({ allowedToDenied, deniedToAllowed }: ReplayReport): readonly unknown[] {
  return [...allowedToDenied, ...deniedToAllowed].flatMap(({ examples }) => examples);
}

function parseGroup(answer: AnswerJson): ReplayGroup {
  const rule = answer.member('rule');
  return {
    rule: rule.optional(parseRuleName),
    text: rule.optional((decider) => decider.member('text').text()) ?? '',
    count: answer.member('count').number(),
    examples: answer
      .member('examples')
      .items()
      .map(({ json }) => json),
  };
}
