import { RequestError } from '@hearth/core/error/request-error.ts';
import { toStrictRulesJson } from '@hearth/core/rules/syntax/document.ts';
import { requireAdmin } from '../../access/rights.ts';
import { parseBody, readBodyText } from '../../http/request-body.ts';
import { type JsonAnswer, wholeText } from '../../http/response.ts';
import type { RulesetLabels } from '../../rules/publishing/rulesets.ts';
import { isWriteSizeLimit } from '../database/write-input.ts';
import { parseTrigger } from '../triggers/trigger.ts';
import type { ParameterScope } from './parameters.ts';
import { watchProfile } from './profile.ts';
import type { RestMethod, SettingsRequest, SettingsRoute } from './request.ts';

type Methods = ReadonlyMap<string, RestMethod<SettingsRoute>>;

/** The handlers of settings, by URL path and method. */
export type SettingsTable = ReadonlyMap<string, Methods>;

/** The settings of every server. */
export const SETTINGS: SettingsTable = new Map([
  ['/.settings/rules.json', methods('rules', { GET: readRules, HEAD: readRules, PUT: writeRules })],
  ['/.settings/rulesets.json', methods('setting', { POST: addRuleset })],
  ['/.settings/ruleset_labels.json', methods('setting', { PUT: changeRulesetLabels })],
  [
    '/.settings/defaultWriteSizeLimit.json',
    methods('setting', { GET: readWriteSizeLimit, PUT: changeWriteSizeLimit }),
  ],
  [
    '/.settings/strictTriggerValidation.json',
    methods('setting', { GET: readTriggerValidation, PUT: changeTriggerValidation }),
  ],
  ['/.settings/profile.json', methods('setting', { GET: watchProfile })],
]);

/**
 * The settings of development mode. The settings that only the official emulators have can concern all databases, so
 * they must not exist in other modes.
 */
export const EMULATOR_SETTINGS: SettingsTable = new Map([
  ...SETTINGS,
  ['/.settings/functionTriggers.json', methods('setting', { POST: addTrigger })],
  ['/.inspect/databases.json', methods('setting', { GET: listDatabases })],
]);

function methods(scope: ParameterScope, routes: Readonly<Record<string, SettingsRoute>>): Methods {
  return new Map(Object.entries(routes).map(([method, run]) => [method, { run, scope }]));
}

/**
 * Handles `GET /.settings/rules.json`. Returns the rules as uploaded or, with `format=strict`, without
 * comments.
 */
async function readRules(request: SettingsRequest): Promise<JsonAnswer> {
  const { databases, namespace, identity, parameters } = request;
  const source = await databases.readRules(namespace, identity);
  return { json: wholeText(parameters.form === 'export' ? toStrictRulesJson(source) : source) };
}

/**
 * Handles `PUT /.settings/rules.json`. Replaces the rules and the indexes; with `dryRun=true`, only checks
 * the rules.
 */
async function writeRules(request: SettingsRequest): Promise<JsonAnswer> {
  const { databases, administration, namespace, identity, parameters } = request;
  const source = await readRulesBody(request);
  if (parameters.isDryRun) await administration.checkRules(identity, source);
  else recordPublication(request, await databases.writeRules(namespace, identity, source));
  return { json: wholeText('{"status":"ok"}') };
}

function recordPublication({ namespace, recordAction }: SettingsRequest, rulesVersion: number): void {
  recordAction({ name: 'rules_published', subject: { database: namespace, rulesVersion } });
}

function recordSetting({ namespace, recordAction }: SettingsRequest, setting: string): void {
  recordAction({ name: 'database_settings_changed', subject: { database: namespace }, detail: setting });
}

/** Handles `POST /.settings/rulesets.json`. Stores rules that a label can publish. Returns `{"id":"<id>"}`. */
async function addRuleset(request: SettingsRequest): Promise<JsonAnswer> {
  const { administration, identity, namespace } = request;
  const id = await administration.addRuleset(identity, namespace, await readRulesBody(request));
  return { json: wholeText(JSON.stringify({ id })) };
}

/**
 * Handles `PUT /.settings/ruleset_labels.json`. The body is `{"stable":"<id>","canary":"<id>"}`; each label
 * is optional.
 */
async function changeRulesetLabels(request: SettingsRequest): Promise<JsonAnswer> {
  const labels = parseLabels(await readSettingBody(request));
  const { administration, identity, namespace } = request;
  const version = await administration.changeRulesetLabels(identity, namespace, labels);
  if (version !== undefined) recordPublication(request, version);
  return { json: wholeText(JSON.stringify(labels)) };
}

function parseLabels(json: unknown): RulesetLabels {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw invalid();
  const [stable, canary] = ['stable', 'canary'].map((label) => {
    const id: unknown = Object.entries(json).find(([name]) => name === label)?.[1] ?? undefined;
    if (id !== undefined && typeof id !== 'string') throw invalid();
    return id;
  });
  return { ...(stable === undefined ? {} : { stable }), ...(canary === undefined ? {} : { canary }) };
}

function invalid(): RequestError {
  return new RequestError(
    'value/invalid',
    'Labels must be an object such as {"stable":"<id>","canary":"<id>"}.',
  );
}

/**
 * Handles `GET /.settings/defaultWriteSizeLimit.json`. Returns the size limit of writes that do not set their
 * own.
 */
async function readWriteSizeLimit(request: SettingsRequest): Promise<JsonAnswer> {
  const settings = await request.administration.settings(request.identity, request.namespace);
  return { json: wholeText(JSON.stringify(settings.defaultWriteSizeLimit)) };
}

/**
 * Handles `PUT /.settings/defaultWriteSizeLimit.json`. The body is a JSON string. `tiny` is allowed only for
 * single requests.
 */
async function changeWriteSizeLimit(request: SettingsRequest): Promise<JsonAnswer> {
  const limit = await readSettingBody(request);
  if (!isWriteSizeLimit(limit) || limit === 'tiny')
    throw new RequestError('value/invalid', 'The limit must be "small", "medium", "large" or "unlimited".');
  const { administration, identity, namespace } = request;
  await administration.changeSettings(identity, namespace, { defaultWriteSizeLimit: limit });
  recordSetting(request, 'defaultWriteSizeLimit');
  return { json: wholeText(JSON.stringify(limit)) };
}

/**
 * Handles `GET /.settings/strictTriggerValidation.json`. Returns whether the server rejects writes that would
 * trigger too many functions or send too much data to one function.
 */
async function readTriggerValidation(request: SettingsRequest): Promise<JsonAnswer> {
  const settings = await request.administration.settings(request.identity, request.namespace);
  return { json: wholeText(JSON.stringify({ value: settings.strictTriggerValidation })) };
}

/** Handles `PUT /.settings/strictTriggerValidation.json`. The body is `true` or `false`. */
async function changeTriggerValidation(request: SettingsRequest): Promise<JsonAnswer> {
  const value = await readSettingBody(request);
  if (typeof value !== 'boolean')
    throw new RequestError('value/invalid', 'The setting must be true or false.');
  const { administration, identity, namespace } = request;
  await administration.changeSettings(identity, namespace, { strictTriggerValidation: value });
  recordSetting(request, 'strictTriggerValidation');
  return { json: wholeText(JSON.stringify({ value })) };
}

/**
 * Handles `POST /.settings/functionTriggers.json`. Registers a function of the functions emulator that is
 * notified of writes.
 */
async function addTrigger(request: SettingsRequest): Promise<JsonAnswer> {
  const trigger = parseTrigger(await readSettingBody(request));
  request.administration.addTrigger(request.identity, request.namespace, trigger);
  return { json: wholeText(JSON.stringify({ name: trigger.name })) };
}

/** Number of names that are read in one transaction. */
const NAMES_PER_PAGE = 1_000;

/** Handles `GET /.inspect/databases.json`. Returns all databases as `[{"name":"<name>"},…]`. */
async function listDatabases({ administration, identity }: SettingsRequest): Promise<JsonAnswer> {
  const names: string[] = [];
  for (;;) {
    const page = await administration.names(identity, names.at(-1) ?? '', NAMES_PER_PAGE);
    names.push(...page);
    if (page.length < NAMES_PER_PAGE)
      return { json: wholeText(JSON.stringify(names.map((name) => ({ name })))) };
  }
}

/** Maximum size of the body of a setting other than rules, in bytes. */
const MAX_SETTING_BYTES = 65_536;

/**
 * Returns the JSON body of a request that changes a setting. Throws before it reads the body if the caller is
 * not an administrator.
 */
async function readSettingBody({ identity, body }: SettingsRequest): Promise<unknown> {
  requireAdmin(identity);
  return parseBody(await readBodyText(body, MAX_SETTING_BYTES));
}

/**
 * Returns the rules in the body of a request, as text. Throws before it reads the body if the caller is not
 * an administrator.
 */
async function readRulesBody({ identity, body, maxBodyBytes }: SettingsRequest): Promise<string> {
  requireAdmin(identity);
  return readBodyText(body, maxBodyBytes);
}
