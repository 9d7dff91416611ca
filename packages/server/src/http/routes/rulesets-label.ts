import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { RulesetLabels } from '../../database/rulesets.ts';
import { type JsonAnswer, wholeText } from '../answer.ts';
import { readSettingBody } from '../setting-body.ts';
import type { SettingsRequest } from '../settings-request.ts';

/** `PUT /.settings/ruleset_labels.json`: `{"stable":"<id>","canary":"<id>"}`, of which either may be left out. */
export async function changeRulesetLabels(request: SettingsRequest): Promise<JsonAnswer> {
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

function invalid(): Refusal {
  return new Refusal('value/invalid', 'Labels are such as {"stable":"<id>","canary":"<id>"}.');
}
