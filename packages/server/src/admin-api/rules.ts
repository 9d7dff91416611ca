import type { RulesVersion } from '@hearth/core/api/rules-version.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseQuestion, type RuleQuestion } from '@hearth/core/rules/cases/question.ts';
import type { DatabaseOwners } from '../auth/projects/database-owners.ts';
import type { Members } from '../auth/roles/members.ts';
import { readBodyText } from '../http/request-body.ts';
import { type Answer, jsonAnswer } from '../http/response.ts';
import type { DatabaseAdmin } from '../realtime/database/administration.ts';
import type { Explanations } from '../realtime/explorer/explanations.ts';
import type { DataActions } from '../realtime/monitoring/data-actions.ts';
import type { RulesHistory } from '../rules/publishing/history.ts';
import type { OperationRecorder } from '../rules/recorder/recorder.ts';
import type { Replay } from '../rules/recorder/replay.ts';
import { recordDataAction } from './audit.ts';
import {
  MAX_RULES_BODY_BYTES,
  parseLimitParameter,
  parsePublication,
  parseSource,
  parseVersionId,
  parseVersionIdText,
  readFields,
  requireKnownParameters,
  segmentNamespace,
} from './parameters.ts';
import type { ApiRequest, ApiRoute } from './request.ts';

export interface RulesServices {
  readonly administration: DatabaseAdmin;
  readonly dataActions: DataActions;
  /** `null` in development mode, where no project owns a database. */
  readonly databaseOwners: DatabaseOwners | null;
  readonly explanations: Explanations;
  readonly members: Members;
  readonly recorder: OperationRecorder;
  readonly replay: Replay;
  readonly rulesHistory: RulesHistory;
}

const RULES = '/api/databases/{database}/rules';

/** Returns the routes of a database's rules, and of the operations that are recorded for replay. */
export function rulesRoutes(services: RulesServices): readonly ApiRoute[] {
  return [
    {
      method: 'GET',
      path: `${RULES}/versions`,
      run: (request) => listRulesVersions(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${RULES}/versions/{id}`,
      run: (request) => readRulesVersion(services, request),
      right: 'read',
    },
    {
      method: 'POST',
      path: `${RULES}/publish`,
      run: (request) => publishRules(services, request),
      right: 'write',
    },
    {
      method: 'POST',
      path: `${RULES}/rollback`,
      run: (request) => rollBackRules(services, request),
      right: 'write',
    },
    {
      method: 'POST',
      path: `${RULES}/check`,
      run: (request) => checkRules(services, request),
      right: 'read',
    },
    {
      method: 'POST',
      path: `${RULES}/explain`,
      run: (request) => explainRules(services, request),
      right: 'read',
    },
    {
      method: 'POST',
      path: `${RULES}/replay`,
      run: (request) => replayRules(services, request),
      right: 'read',
    },
    {
      method: 'GET',
      path: `${RULES}/recording`,
      run: (request) => readRecording(services, request),
      right: 'read',
    },
    {
      method: 'PUT',
      path: `${RULES}/recording`,
      run: (request) => changeRecording(services, request),
      right: 'write',
    },
  ];
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** `GET …/rules/versions`: lists the published versions, newest first. */
async function listRulesVersions(services: RulesServices, request: ApiRequest): Promise<Answer> {
  const { identity, query } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, ['before', 'limit']);
  const limit = parseLimitParameter(query, DEFAULT_LIMIT, MAX_LIMIT);
  const text = query.get('before');
  const before = text === null ? null : parseVersionIdText(text, 'before');
  // Requests one more than the limit, to detect whether there are more.
  const found = await services.rulesHistory.list(identity, database, before, limit + 1);
  const versions = found.slice(0, limit).map((version) => withNamedAuthor(services, database, version));
  const next = found.length > limit ? versions.at(-1)?.id : undefined;
  return jsonAnswer({ versions, next: next ?? null });
}

/** `GET …/rules/versions/<id>`: returns one version with its source and its changes. */
async function readRulesVersion(services: RulesServices, request: ApiRequest): Promise<Answer> {
  const { identity, query, segments } = request;
  const database = segmentNamespace(request, 'database');
  requireKnownParameters(query, []);
  const id = parseVersionIdText(segments['id'] ?? '', 'versions/<id>');
  const version = await services.rulesHistory.find(identity, database, id);
  return jsonAnswer(withNamedAuthor(services, database, version));
}

/** Adds the email address to the author of a version if a member published it; `null` if the author is no longer a member. */
function withNamedAuthor<V extends RulesVersion>(
  { databaseOwners, members }: RulesServices,
  database: string,
  version: V,
): V {
  const { author } = version;
  const project = databaseOwners?.find(database);
  if (author.kind !== 'member' || project === undefined) return version;
  return { ...version, author: { ...author, email: members.find(project, author.uid)?.email ?? null } };
}

/** `POST …/rules/publish` with `{"source", "message"?, "expected"?}`: publishes rules. */
async function publishRules(services: RulesServices, request: ApiRequest): Promise<Answer> {
  const { identity } = request;
  const database = segmentNamespace(request, 'database');
  const fields = await readFields(request, ['source', 'message', 'expected']);
  const publication = parsePublication(fields);
  const source = parseSource(fields);
  return answerPublication(async () => {
    const rulesVersion = await services.rulesHistory.publish(identity, database, source, publication);
    recordDataAction(services.dataActions, request, 'rules_published', { database, rulesVersion });
    return rulesVersion;
  });
}

/** `POST …/rules/rollback` with `{"to", "message"?, "expected"?}`: publishes an earlier version again. */
async function rollBackRules(services: RulesServices, request: ApiRequest): Promise<Answer> {
  const { identity } = request;
  const database = segmentNamespace(request, 'database');
  const fields = await readFields(request, ['to', 'message', 'expected']);
  const to = parseVersionId(fields.get('to'), 'to', 1);
  const publication = parsePublication(fields);
  return answerPublication(async () => {
    const rulesVersion = await services.rulesHistory.rollBack(identity, database, to, publication);
    const subject = { database, rulesVersion, ofRulesVersion: to };
    recordDataAction(services.dataActions, request, 'rules_rolled_back', subject);
    return rulesVersion;
  });
}

/** `POST …/rules/check` with `{"source"}`: lists the problems of rules without publishing them. */
async function checkRules(services: RulesServices, request: ApiRequest): Promise<Answer> {
  const { identity } = request;
  segmentNamespace(request, 'database');
  const source = parseSource(await readFields(request, ['source']));
  try {
    await services.administration.checkRules(identity, source);
    return jsonAnswer({ problems: [] });
  } catch (cause) {
    const problems = findProblems(cause);
    if (problems === undefined) throw cause;
    return jsonAnswer({ problems });
  }
}

/**
 * `POST …/rules/explain` with `{"auth"?, "operation", "path", "value"?, "query"?, "source"?}`: explains why
 * rules would now allow or deny an operation. Writes nothing.
 */
async function explainRules(services: RulesServices, request: ApiRequest): Promise<Answer> {
  const { identity, query, body } = request;
  requireKnownParameters(query, []);
  const database = segmentNamespace(request, 'database');
  const question = requireQuestion(await readBodyText(body, MAX_RULES_BODY_BYTES));
  return jsonAnswer(await services.explanations.explain(identity, database, question));
}

/** Maximum number of problems of a request that the error message lists. */
const MAX_PROBLEMS = 5;

function requireQuestion(text: string): RuleQuestion {
  const parsed = parseQuestion(text);
  if (parsed.kind === 'question') return parsed.question;
  const messages = parsed.problems.slice(0, MAX_PROBLEMS).map(({ message }) => message);
  throw new RequestError('request/malformed', messages.join(' '));
}

/**
 * `POST …/rules/replay` with `{"source"}`: lists the recent operations that these rules would decide
 * differently.
 */
async function replayRules(services: RulesServices, request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  const fields = await readFields(request, ['source']);
  request.keepOpen();
  return jsonAnswer(await services.replay.run(request.holder, database, parseSource(fields)));
}

/** `GET …/rules/recording`: returns the settings for recording operations. */
async function readRecording(services: RulesServices, request: ApiRequest): Promise<Answer> {
  requireKnownParameters(request.query, []);
  return jsonAnswer(services.recorder.readSettings(segmentNamespace(request, 'database')));
}

/** `PUT …/rules/recording` with some of `{"isOn", "share"}`: changes these settings and returns both. */
async function changeRecording(services: RulesServices, request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  const fields = await readFields(request, ['isOn', 'share']);
  const settings = await services.recorder.changeSettings(database, Object.fromEntries(fields));
  recordDataAction(services.dataActions, request, 'database_settings_changed', { database }, 'recording');
  return jsonAnswer(settings);
}

/** A problem in a rules document. `line` and `column` start at 1. */
export interface LocatedProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Format of one problem in an error message. */
const PROBLEM = /^(\d+):(\d+): (.*)$/s;

/** Responds with the id of the version that is published, or with 400 and the problems of the rules. */
async function answerPublication(publish: () => Promise<number>): Promise<Answer> {
  try {
    return jsonAnswer({ id: await publish() });
  } catch (cause) {
    const problems = findProblems(cause);
    if (problems === undefined || !(cause instanceof RequestError)) throw cause;
    return jsonAnswer({ error: cause.message, problems }, cause.spec.http);
  }
}

/** Returns the problems for which rules were rejected, or `undefined` for another error. */
function findProblems(error: unknown): readonly LocatedProblem[] | undefined {
  if (!(error instanceof RequestError) || error.code !== 'rules/invalid') return undefined;
  return error.message.split('\n').flatMap((text) => {
    const [, line, column, message] = PROBLEM.exec(text) ?? [];
    // If there are too many problems to show, the last line only gives the number of the others.
    return message === undefined ? [] : [{ line: Number(line), column: Number(column), message }];
  });
}
