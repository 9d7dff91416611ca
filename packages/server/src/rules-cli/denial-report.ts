import type { AnswerJson } from './answer-json.ts';
import { askServer, type DatabaseServer } from './database-server.ts';
import { formatRuleName } from './format-rule-name.ts';
import { printable } from './printable.ts';
import type { ShownExplanation, ShownRule } from './shown-trace.ts';
import { parseKind, parseRuleName, parseStep } from './trace-answer.ts';

/** An operation that rules denied. */
export interface DenialReport {
  readonly id: number;
  readonly timeMs: number;
  readonly operation: string;
  readonly paths: readonly string[];
  /** How many there were; not all are listed. */
  readonly pathCount: number;
  /** Who it was in a word. */
  readonly who: string;
  /** The rule that decided, as `.write of /rooms/$id`; `null` where there was none. */
  readonly rule: string | null;
}

export interface DenialList {
  /** Newest first. */
  readonly denials: readonly DenialReport[];
  /** How many more there were than are kept. */
  readonly sampledOut: number;
  /** As the server has told of them. */
  readonly json: unknown;
}

/** The latest denials. */
export async function listDenials(
  server: DatabaseServer,
  limit: number,
  path: string | null,
): Promise<DenialList> {
  const query = new URLSearchParams({ limit: String(limit), ...(path === null ? {} : { path }) });
  const answer = await askServer(server, 'GET', `denials?${query}`);
  return {
    denials: answer.member('denials').items().map(parseListed),
    sampledOut: answer.member('sampledOut').number(),
    json: answer.json,
  };
}

export interface ExplainedDenial {
  readonly denial: DenialReport;
  readonly explanation: ShownExplanation;
  /** As the server has told of it. */
  readonly json: unknown;
}

/** A denial with what its rules came to. */
export async function readDenial(server: DatabaseServer, id: number): Promise<ExplainedDenial> {
  const answer = await askServer(server, 'GET', `denials/${id}`);
  const rules = answer.member('rules').items().map(parseRule);
  const index = answer.member('deciding').optional((number) => number.number());
  const deciding = index === null ? null : (rules[index] ?? null);
  const denial = parseDenial(answer, deciding && formatRuleName(deciding));
  const [refused = null, ...others] = denial.paths;
  return {
    denial,
    // Which of several places it was, the deciding rule tells.
    explanation: { isAllowed: false, refused: others.length > 0 ? null : refused, rules, deciding },
    json: answer.json,
  };
}

function parseListed(answer: AnswerJson): DenialReport {
  return parseDenial(answer, answer.member('rule').optional(parseRuleName));
}

function parseDenial(answer: AnswerJson, rule: string | null): DenialReport {
  return {
    id: answer.member('id').number(),
    timeMs: answer.member('timeMs').number(),
    operation: answer.member('operation').text(),
    paths: answer
      .member('paths')
      .items()
      .map((path) => path.text()),
    pathCount: answer.member('pathCount').number(),
    who: parseWho(answer.member('identity')),
    rule,
  };
}

function parseWho(identity: AnswerJson): string {
  const { json } = identity.member('auth');
  if (json === null) return 'a guest';
  if (typeof json !== 'object' || Array.isArray(json)) return 'a user';
  const uid: unknown = Object.entries(json).find(([name]) => name === 'uid')?.[1];
  return typeof uid === 'string' ? printable(uid) : 'a user';
}

/** The spans of a kept rule are parts of its own text. */
function parseRule(answer: AnswerJson): ShownRule {
  return {
    kind: parseKind(answer.member('kind')),
    location: answer.member('location').text(),
    place: answer.member('place').text(),
    holds: answer.member('holds').boolean(),
    step: parseStep(answer.member('step')),
    source: answer.member('text').text(),
    at: '',
  };
}
