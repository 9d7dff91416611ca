import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../ui/sections.tsx';
import { SaveBar } from './save-bar.tsx';
import { SETTINGS, type SettingsForm } from './settings-form.ts';
import { SwitchSetting } from './switch-setting.tsx';

/** The requirements for passwords, as in `passwordPolicyConfig`. */
export interface PasswordPolicy {
  readonly isEnforced: boolean;
  readonly forcesUpgrade: boolean;
  readonly rejectsCommon: boolean;
  /** Minimum length of every password, even if the policy is not enforced. */
  readonly baseLength: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly needsLowercase: boolean;
  readonly needsUppercase: boolean;
  readonly needsNumeric: boolean;
  readonly needsSymbol: boolean;
}

const LEAST_LENGTH = 6;
const GREATEST_MIN_LENGTH = 30;
const GREATEST_MAX_LENGTH = 4_096;

type Json = Readonly<Record<string, unknown>>;

function asObject(json: unknown): Json {
  return typeof json === 'object' && json !== null ? { ...json } : {};
}

function asNumber(json: unknown, absent: number): number {
  return typeof json === 'number' ? json : absent;
}

export function decodePolicy(json: unknown): PasswordPolicy {
  const config = asObject(json);
  const versions = config['passwordPolicyVersions'];
  const strength = asObject(asObject(Array.isArray(versions) ? versions[0] : {})['customStrengthOptions']);
  return {
    isEnforced: config['passwordPolicyEnforcementState'] === 'ENFORCE',
    forcesUpgrade: config['forceUpgradeOnSignin'] === true,
    rejectsCommon: config['refuseCommonPasswords'] === true,
    baseLength: asNumber(config['basePasswordLength'], LEAST_LENGTH),
    minLength: asNumber(strength['minPasswordLength'], LEAST_LENGTH),
    maxLength: asNumber(strength['maxPasswordLength'], GREATEST_MAX_LENGTH),
    needsLowercase: strength['containsLowercaseCharacter'] === true,
    needsUppercase: strength['containsUppercaseCharacter'] === true,
    needsNumeric: strength['containsNumericCharacter'] === true,
    needsSymbol: strength['containsNonAlphanumericCharacter'] === true,
  };
}

export function encodePolicy(policy: PasswordPolicy): Json {
  return {
    passwordPolicyEnforcementState: policy.isEnforced ? 'ENFORCE' : 'OFF',
    forceUpgradeOnSignin: policy.forcesUpgrade,
    refuseCommonPasswords: policy.rejectsCommon,
    basePasswordLength: policy.baseLength,
    passwordPolicyVersions: [
      {
        customStrengthOptions: {
          minPasswordLength: policy.minLength,
          maxPasswordLength: policy.maxLength,
          ...(policy.needsLowercase && { containsLowercaseCharacter: true }),
          ...(policy.needsUppercase && { containsUppercaseCharacter: true }),
          ...(policy.needsNumeric && { containsNumericCharacter: true }),
          ...(policy.needsSymbol && { containsNonAlphanumericCharacter: true }),
        },
        schemaVersion: 1,
      },
    ],
  };
}

/** Returns the first invalid length; `undefined` if all are valid. */
export function findWrongLength({
  baseLength,
  minLength,
  maxLength,
}: PasswordPolicy): 'base' | 'min' | 'max' | undefined {
  const isWithin = (length: number, greatest: number): boolean =>
    Number.isInteger(length) && length >= LEAST_LENGTH && length <= greatest;
  if (!isWithin(baseLength, GREATEST_MIN_LENGTH)) return 'base';
  if (!isWithin(minLength, GREATEST_MIN_LENGTH)) return 'min';
  return isWithin(maxLength, GREATEST_MAX_LENGTH) && maxLength >= minLength ? undefined : 'max';
}

const LENGTHS = [
  { field: 'minLength', id: 'min', most: GREATEST_MIN_LENGTH },
  { field: 'maxLength', id: 'max', most: GREATEST_MAX_LENGTH },
  { field: 'baseLength', id: 'base', most: GREATEST_MIN_LENGTH },
] as const;
const NEEDS = ['needsUppercase', 'needsLowercase', 'needsNumeric', 'needsSymbol'] as const;
const WHEN = ['isEnforced', 'forcesUpgrade', 'rejectsCommon'] as const;

/** The section for the password policy. */
export function PasswordSection({ form }: { readonly form: SettingsForm }) {
  const { t, i18n } = useTranslation('sign-in');
  const policy = decodePolicy(form.value(SETTINGS.passwordPolicy));
  const change = (part: Partial<PasswordPolicy>): void =>
    form.set(SETTINGS.passwordPolicy, encodePolicy({ ...policy, ...part }));
  const wrong = findWrongLength(policy);
  const print = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  const flags = (names: readonly ((typeof NEEDS)[number] | (typeof WHEN)[number])[]) =>
    names.map((name) => (
      <SwitchSetting
        key={name}
        label={t(`policy.${name}`)}
        about={t(`policy.about.${name}`)}
        isOn={policy[name]}
        isDisabled={!form.mayOwn}
        set={(isOn) => change({ [name]: isOn })}
      />
    ));
  return (
    <>
      <SectionCard title={t('policy.lengths')}>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: 'repeat(3, 1fr)' } }}>
          {LENGTHS.map(({ field, id, most }) => (
            <TextField
              key={field}
              type="number"
              label={t(`policy.${field}`)}
              value={Number.isNaN(policy[field]) ? '' : policy[field]}
              error={wrong === id}
              helperText={
                wrong === id
                  ? t('policy.range', { least: print(LEAST_LENGTH), most: print(most) })
                  : t(`policy.about.${field}`)
              }
              onChange={(event) => change({ [field]: Number(event.target.value) })}
              slotProps={{
                input: { readOnly: !form.mayOwn },
                htmlInput: { min: LEAST_LENGTH, max: most },
              }}
            />
          ))}
        </Box>
      </SectionCard>
      <SectionCard title={t('policy.needs')}>{flags(NEEDS)}</SectionCard>
      <SectionCard title={t('policy.when')}>{flags(WHEN)}</SectionCard>
      <SaveBar form={form} problem={wrong === undefined ? undefined : t('policy.wrong')} />
    </>
  );
}
