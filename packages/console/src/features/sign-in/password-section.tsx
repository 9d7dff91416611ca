import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../elements/section-card.tsx';
import {
  decodePolicy,
  encodePolicy,
  findWrongLength,
  GREATEST_MAX_LENGTH,
  GREATEST_MIN_LENGTH,
  LEAST_LENGTH,
  type PasswordPolicy,
} from './password-policy.ts';
import { SaveBar } from './save-bar.tsx';
import { SETTINGS } from './settings.ts';
import { SwitchSetting } from './switch-setting.tsx';
import type { SettingsForm } from './use-settings-form.ts';

const LENGTHS = [
  { field: 'minLength', id: 'min', most: GREATEST_MIN_LENGTH },
  { field: 'maxLength', id: 'max', most: GREATEST_MAX_LENGTH },
  { field: 'baseLength', id: 'base', most: GREATEST_MIN_LENGTH },
] as const;
const NEEDS = ['needsUppercase', 'needsLowercase', 'needsNumeric', 'needsSymbol'] as const;
const WHEN = ['isEnforced', 'forcesUpgrade', 'refusesCommon'] as const;

/** What passwords must have. */
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
