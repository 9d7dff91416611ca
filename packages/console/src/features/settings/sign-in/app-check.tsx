import { APP_CHECK_MODES, isAppId, LIMITED_USE_METHODS, MAX_APPS } from '@hearth/core/api/app-check.ts';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../ui/sections.tsx';
import { CodeText } from '../../../ui/text.tsx';
import { SaveBar } from './save-bar.tsx';
import { ChoiceSetting, findProblemAt } from './setting-fields.tsx';
import { isSame, SETTINGS, type SettingsForm } from './settings-form.ts';

function listAt(form: SettingsForm, path: string): readonly string[] {
  const value = form.value(path);
  return Array.isArray(value) ? value.map(String) : [];
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The section for App Check: which services require tokens, and which apps get them. */
export function AppCheckSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const apps = listAt(form, SETTINGS.appCheckApps);
  const isWrong = apps.length > MAX_APPS || !apps.every(isAppId);
  const options = APP_CHECK_MODES.map((value) => ({
    value,
    label: t(`appCheck.${value}`),
    about: t(`appCheck.about.${value}`),
  }));
  return (
    <>
      {(['appCheckAccounts', 'appCheckDatabase'] as const).map((name) => (
        <SectionCard key={name} title={t(`setting.${name}`)} about={t(`appCheck.about.${name}`)}>
          <ChoiceSetting form={form} name={name} isReadOnly={!form.mayChange} options={options} />
        </SectionCard>
      ))}
      <AppsCard form={form} apps={apps} problem={isWrong ? t('appCheck.notApps') : undefined} />
      <LimitedUseCard form={form} />
      <SaveBar form={form} problem={isWrong ? t('appCheck.notApps') : undefined} />
    </>
  );
}

interface AppsCardProps {
  readonly form: SettingsForm;
  readonly apps: readonly string[];
  readonly problem: string | undefined;
}

/** The apps that get tokens, one in each line. */
function AppsCard({ form, apps, problem }: AppsCardProps) {
  const { t } = useTranslation('sign-in');
  const [text, setText] = useState<string | null>(null);
  // The typed text stays as it is, with its empty lines, unless the edit was discarded.
  const isShown = text !== null && isSame(linesOf(text), apps);
  const wrong = problem ?? findProblemAt(form.error, SETTINGS.appCheckApps);
  return (
    <SectionCard title={t('setting.appCheckApps')} about={t('appCheck.about.appCheckApps')}>
      <TextField
        multiline
        minRows={2}
        maxRows={10}
        label={t('appCheck.ids')}
        value={isShown ? text : apps.join('\n')}
        error={wrong !== undefined}
        helperText={wrong ?? t('appCheck.about.ids')}
        onChange={({ target }) => {
          setText(target.value);
          form.set(SETTINGS.appCheckApps, linesOf(target.value));
        }}
        slotProps={{ input: { readOnly: !form.mayChange }, htmlInput: { dir: 'ltr', spellCheck: false } }}
      />
    </SectionCard>
  );
}

/** The methods that accept each token once. */
function LimitedUseCard({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const chosen = listAt(form, SETTINGS.appCheckLimited);
  const choose = (method: string, isChosen: boolean): void =>
    // In the order of the server, so that the order of the clicks is no change.
    form.set(
      SETTINGS.appCheckLimited,
      LIMITED_USE_METHODS.filter((one) => (one === method ? isChosen : chosen.includes(one))),
    );
  return (
    <SectionCard title={t('setting.appCheckLimited')} about={t('appCheck.about.appCheckLimited')}>
      <FormGroup>
        {LIMITED_USE_METHODS.map((method) => (
          <FormControlLabel
            key={method}
            disabled={!form.mayChange}
            control={<Checkbox size="small" />}
            checked={chosen.includes(method)}
            onChange={(_event, isChosen) => choose(method, isChosen)}
            label={<CodeText>{method}</CodeText>}
          />
        ))}
      </FormGroup>
    </SectionCard>
  );
}
