import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../ui/sections.tsx';
import { SaveBar } from './save-bar.tsx';
import { INVERTED, SETTINGS, type SettingName, type SettingsForm } from './settings-form.ts';
import { SignUpRulesCard, useSignUpProblem } from './sign-up-rules.tsx';
import { SwitchSetting } from './switch-setting.tsx';

const GROUPS = {
  methods: ['email', 'passwordRequired', 'anonymous'],
  accounts: ['noSignUp', 'noDeletion', 'privacy', 'duplicateEmails'],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

/** The section for sign-in methods, and for what users may do with their accounts. */
export function MethodsSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const signUpProblem = useSignUpProblem(form);
  return (
    <>
      {(['methods', 'accounts'] as const).map((group) => (
        <SectionCard key={group} title={t(`methods.${group}`)}>
          {GROUPS[group].map((name) => {
            const path = SETTINGS[name];
            const isInverted = INVERTED.has(path);
            return (
              <SwitchSetting
                key={name}
                label={t(`setting.${name}`)}
                about={t(`methods.about.${name}`)}
                isOn={(form.value(path) === true) !== isInverted}
                isDisabled={!(path.startsWith('signIn.email.') ? form.mayOwn : form.mayChange)}
                set={(isOn) => form.set(path, isOn !== isInverted)}
              />
            );
          })}
        </SectionCard>
      ))}
      <SignUpRulesCard form={form} />
      <SaveBar form={form} problem={signUpProblem} />
    </>
  );
}

const STATES = ['DISABLED', 'ENABLED', 'MANDATORY'] as const;
const MAX_INTERVALS = 10;
const DEFAULT_INTERVALS = 1;

/** The section for the second factor: which accounts must use one, and the clock tolerance of app codes. */
export function SecondFactorSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const state = STATES.find((known) => known === form.value(SETTINGS.secondFactor)) ?? 'DISABLED';
  const { isOn, intervals } = decodeProviders(form.value(SETTINGS.factorProviders));
  const isWrong = !Number.isInteger(intervals) || intervals < 0 || intervals > MAX_INTERVALS;
  const smsProviders = form.value(SETTINGS.factorSms);
  const isSmsOn = Array.isArray(smsProviders) && smsProviders.length > 0;
  const isDisabled = !form.mayOwn;
  return (
    <>
      <SectionCard title={t('factor.when')}>
        <RadioGroup
          aria-label={t('factor.when')}
          value={state}
          onChange={(event) => form.set(SETTINGS.secondFactor, event.target.value)}
        >
          {STATES.map((one) => (
            <FormControlLabel
              key={one}
              value={one}
              disabled={isDisabled}
              control={<Radio />}
              sx={{ alignItems: 'flex-start', marginBlockEnd: 1 }}
              label={
                <>
                  <Typography sx={{ fontWeight: 500, marginBlockStart: 1 }}>{t(`factor.${one}`)}</Typography>
                  <Typography variant="body2" color="textSecondary">
                    {t(`factor.about.${one}`)}
                  </Typography>
                </>
              }
            />
          ))}
        </RadioGroup>
      </SectionCard>
      <SectionCard title={t('factor.app')}>
        <SwitchSetting
          label={t('setting.factorProviders')}
          about={t('factor.about.app')}
          isOn={isOn}
          isDisabled={isDisabled}
          set={(isEnabled) => form.set(SETTINGS.factorProviders, encodeProviders(isEnabled, intervals))}
        />
        <TextField
          type="number"
          label={t('factor.intervals')}
          value={Number.isNaN(intervals) ? '' : intervals}
          error={isWrong}
          helperText={t('factor.about.intervals')}
          onChange={(event) =>
            form.set(SETTINGS.factorProviders, encodeProviders(isOn, Number(event.target.value)))
          }
          slotProps={{ input: { readOnly: isDisabled }, htmlInput: { min: 0, max: MAX_INTERVALS } }}
          sx={{ maxWidth: 420 }}
        />
      </SectionCard>
      <SectionCard title={t('setting.factorSms')}>
        <SwitchSetting
          label={t('setting.factorSms')}
          about={t('factor.about.sms')}
          isOn={isSmsOn}
          isDisabled={isDisabled}
          set={(isEnabled) => form.set(SETTINGS.factorSms, isEnabled ? ['PHONE_SMS'] : [])}
        />
      </SectionCard>
      <SaveBar form={form} problem={isWrong ? t('factor.about.intervals') : undefined} />
    </>
  );
}

/** Returns `mfa.providerConfigs` with one entry, for authenticator apps. */
function encodeProviders(isOn: boolean, adjacentIntervals: number): readonly unknown[] {
  return [{ state: isOn ? 'ENABLED' : 'DISABLED', totpProviderConfig: { adjacentIntervals } }];
}

function decodeProviders(json: unknown): { readonly isOn: boolean; readonly intervals: number } {
  const [entry] = Array.isArray(json) ? json : [];
  const { state, totpProviderConfig } = Object(entry) as {
    readonly state?: unknown;
    readonly totpProviderConfig?: unknown;
  };
  const { adjacentIntervals } = Object(totpProviderConfig) as { readonly adjacentIntervals?: unknown };
  return {
    isOn: state === 'ENABLED' || state === 'MANDATORY',
    intervals: typeof adjacentIntervals === 'number' ? adjacentIntervals : DEFAULT_INTERVALS,
  };
}
