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

/** Addresses of settings, with what carries out their methods. */
export type SettingsTable = ReadonlyMap<string, Methods>;

/** Those of every server. */
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

/** Those of development mode: what the emulators have beside them is about all databases, whosever they are. */
export const EMULATOR_SETTINGS: SettingsTable = new Map([
  ...SETTINGS,
  ['/.settings/functionTriggers.json', methods('setting', { POST: addTrigger })],
  ['/.inspect/databases.json', methods('setting', { GET: listDatabases })],
]);

function methods(scope: ParameterScope, routes: Readonly<Record<string, SettingsRoute>>): Methods {
  return new Map(Object.entries(routes).map(([method, run]) => [method, { run, scope }]));
}

/** `GET /.settings/rules.json`: the rules as they were uploaded or, with `format=strict`, without comments. */
async function readRules(request: SettingsRequest): Promise<JsonAnswer> {
  const { databases, namespace, identity, parameters } = request;
  const source = await databases.readRules(namespace, identity);
  return { json: wholeText(parameters.form === 'export' ? toStrictRulesJson(source) : source) };
}

/** `PUT /.settings/rules.json`: replaces the rules and the indexes; with `dryRun=true` it only checks them. */
async function writeRules(request: SettingsRequest): Promise<JsonAnswer> {
  const { databases, administration, namespace, identity, parameters } = request;
  const source = await readRulesBody(request);
  if (parameters.isDryRun) await administration.checkRules(identity, source);
  else await databases.writeRules(namespace, identity, source);
  return { json: wholeText('{"status":"ok"}') };
}

/** `POST /.settings/rulesets.json`: keeps rules that a label can put in force; answers `{"id":"<id>"}`. */
async function addRuleset(request: SettingsRequest): Promise<JsonAnswer> {
  const { administration, identity, namespace } = request;
  const id = await administration.addRuleset(identity, namespace, await readRulesBody(request));
  return { json: wholeText(JSON.stringify({ id })) };
}

/** `PUT /.settings/ruleset_labels.json`: `{"stable":"<id>","canary":"<id>"}`, of which either may be left out. */
async function changeRulesetLabels(request: SettingsRequest): Promise<JsonAnswer> {
  const labels = parseLabels(await readSettingBody(request));
  await request.administration.changeRulesetLabels(request.identity, request.namespace, labels);
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
  return new RequestError('value/invalid', 'Labels are such as {"stable":"<id>","canary":"<id>"}.');
}

/** `GET /.settings/defaultWriteSizeLimit.json`: how much a write may bring along that does not say so itself. */
async function readWriteSizeLimit(request: SettingsRequest): Promise<JsonAnswer> {
  const settings = await request.administration.settings(request.identity, request.namespace);
  return { json: wholeText(JSON.stringify(settings.defaultWriteSizeLimit)) };
}

/** `PUT /.settings/defaultWriteSizeLimit.json`: a JSON string. `tiny` is for single requests only. */
async function changeWriteSizeLimit(request: SettingsRequest): Promise<JsonAnswer> {
  const limit = await readSettingBody(request);
  if (!isWriteSizeLimit(limit) || limit === 'tiny')
    throw new RequestError('value/invalid', 'The limit must be "small", "medium", "large" or "unlimited".');
  const { administration, identity, namespace } = request;
  await administration.changeSettings(identity, namespace, { defaultWriteSizeLimit: limit });
  return { json: wholeText(JSON.stringify(limit)) };
}

/** `GET /.settings/strictTriggerValidation.json`: are writes refused that would trigger too much? */
async function readTriggerValidation(request: SettingsRequest): Promise<JsonAnswer> {
  const settings = await request.administration.settings(request.identity, request.namespace);
  return { json: wholeText(JSON.stringify({ value: settings.strictTriggerValidation })) };
}

/** `PUT /.settings/strictTriggerValidation.json`: `true` or `false`. */
async function changeTriggerValidation(request: SettingsRequest): Promise<JsonAnswer> {
  const value = await readSettingBody(request);
  if (typeof value !== 'boolean')
    throw new RequestError('value/invalid', 'The setting must be true or false.');
  const { administration, identity, namespace } = request;
  await administration.changeSettings(identity, namespace, { strictTriggerValidation: value });
  return { json: wholeText(JSON.stringify({ value })) };
}

/** `POST /.settings/functionTriggers.json`: a function of the functions emulator that is to be told of writes. */
async function addTrigger(request: SettingsRequest): Promise<JsonAnswer> {
  const trigger = parseTrigger(await readSettingBody(request));
  request.administration.addTrigger(request.identity, request.namespace, trigger);
  return { json: wholeText(JSON.stringify({ name: trigger.name })) };
}

/** Names asked for in one turn. */
const PAGE = 1_000;

/** `GET /.inspect/databases.json`: every database there is, as `[{"name":"<name>"},…]`. */
async function listDatabases({ administration, identity }: SettingsRequest): Promise<JsonAnswer> {
  const names: string[] = [];
  for (;;) {
    const page = await administration.names(identity, names.at(-1) ?? '', PAGE);
    names.push(...page);
    if (page.length < PAGE) return { json: wholeText(JSON.stringify(names.map((name) => ({ name })))) };
  }
}

/** Longest body of a setting other than rules, in bytes. */
const MAX_SETTING_BYTES = 65_536;

/** The JSON that an administrator sends as a setting. What others send is not read. */
async function readSettingBody({ identity, body }: SettingsRequest): Promise<unknown> {
  requireAdmin(identity);
  return parseBody(await readBodyText(body, MAX_SETTING_BYTES));
}

/** The rules that an administrator sends, as text. What others send is not read. */
async function readRulesBody({ identity, body, maxBodyBytes }: SettingsRequest): Promise<string> {
  requireAdmin(identity);
  return readBodyText(body, maxBodyBytes);
}
