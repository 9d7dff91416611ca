import type { RestMethod } from './rest-method.ts';
import type { ParameterScope } from './rest-parameters.ts';
import { listDatabases } from './routes/inspect-databases.ts';
import { readRules } from './routes/rules-read.ts';
import { writeRules } from './routes/rules-write.ts';
import { addRuleset } from './routes/rulesets-add.ts';
import { changeRulesetLabels } from './routes/rulesets-label.ts';
import { watchProfile } from './routes/settings-profile-watch.ts';
import { addTrigger } from './routes/settings-trigger-add.ts';
import { changeTriggerValidation } from './routes/settings-trigger-validation-change.ts';
import { readTriggerValidation } from './routes/settings-trigger-validation-read.ts';
import { changeWriteSizeLimit } from './routes/settings-write-size-change.ts';
import { readWriteSizeLimit } from './routes/settings-write-size-read.ts';
import type { SettingsRoute } from './settings-request.ts';

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
