import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../ui/sections.tsx';
import { RecaptchaCard, useRecaptchaProblem } from './recaptcha.tsx';
import { SaveBar } from './save-bar.tsx';
import { ChoiceSetting, NumberSetting, useRangeProblem } from './setting-fields.tsx';
import { SETTINGS, type SettingsForm } from './settings-form.ts';

const STATES = ['OFF', 'AUDIT', 'ENFORCE'] as const;
/** Bounds of the cost of a challenge, and its value for new projects, as on the server. */
const COST = { least: 2_000, most: 200_000, absent: 4_000 } as const;

/** The section for challenges, which the browsers of users solve before they may sign in or get a text message. */
export function CaptchaSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const rangeProblem = useRangeProblem();
  const recaptchaProblem = useRecaptchaProblem(form);
  const options = STATES.map((value) => ({
    value,
    label: t(`captcha.${value}`),
    about: t(`captcha.about.${value}`),
  }));
  return (
    <>
      {(['captchaPassword', 'captchaPhone'] as const).map((name) => (
        <SectionCard key={name} title={t(`setting.${name}`)} about={t(`captcha.about.${name}`)}>
          <ChoiceSetting form={form} name={name} isReadOnly={!form.mayChange} options={options} />
        </SectionCard>
      ))}
      <SectionCard title={t('captcha.work')}>
        <NumberSetting
          form={form}
          name="captchaCost"
          about={t('captcha.about.captchaCost')}
          isReadOnly={!form.mayChange}
          {...COST}
        />
      </SectionCard>
      <RecaptchaCard form={form} />
      <SaveBar
        form={form}
        problem={rangeProblem(form.value(SETTINGS.captchaCost), COST.least, COST.most) ?? recaptchaProblem}
      />
    </>
  );
}
