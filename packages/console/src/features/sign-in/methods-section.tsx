import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../elements/section-card.tsx';
import { SaveBar } from './save-bar.tsx';
import { SETTINGS, type SettingName } from './settings.ts';
import { SwitchSetting } from './switch-setting.tsx';
import { INVERTED } from './use-setting-label.ts';
import type { SettingsForm } from './use-settings-form.ts';

const GROUPS = {
  methods: ['email', 'passwordRequired', 'anonymous'],
  accounts: ['noSignUp', 'noDeletion', 'privacy', 'duplicateEmails'],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

/** How people may sign in, and what they may do with their accounts. */
export function MethodsSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
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
      <SaveBar form={form} />
    </>
  );
}
