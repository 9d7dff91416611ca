import Alert from '@mui/material/Alert';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadableOf } from '../../../api/query-state.ts';
import { countPasskeys } from '../../../api/settings.ts';
import { useApi, useProjectId } from '../../../session/session.ts';
import { SectionCard } from '../../../ui/sections.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { NativeAppsCards, useNativeAppsProblem } from './native-apps.tsx';
import { SaveBar } from './save-bar.tsx';
import { ChoiceSetting, FlagSetting, TextSetting } from './setting-fields.tsx';
import { SETTINGS, type SettingsForm } from './settings-form.ts';

const VERIFICATIONS = ['REQUIRED', 'PREFERRED'] as const;
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
/** Returns whether a text is a host name without scheme and port, which is not an IP address. */
export function isPasskeyDomain(text: string): boolean {
  return HOST.test(text) && !/^[\d.]+$/.test(text);
}

/** The section for passkeys: whether apps offer them, and the domain for which they are valid. */
export function PasskeysSection({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const [confirmed, setConfirmed] = useState('');
  const domain = String(form.value(SETTINGS.passkeyDomain) ?? '').trim();
  const edit = form.edits[SETTINGS.passkeyDomain];
  const isDomain = domain === '' || isPasskeyDomain(domain);
  const appsProblem = useNativeAppsProblem(form);
  /** The text that the user types to confirm: the new domain, or the old one if the field is empty. */
  const typed = domain === '' ? String(edit?.before ?? '') : domain;
  const isConfirmed = edit === undefined || confirmed.trim() === typed;
  const problems = [
    isDomain ? undefined : t('passkeys.notHost'),
    appsProblem,
    isConfirmed ? undefined : t('passkeys.confirmFirst'),
  ];
  return (
    <>
      <SectionCard title={t('section.passkeys')}>
        {(['passkeys', 'passkeyAnonymous'] as const).map((name) => (
          <FlagSetting
            key={name}
            form={form}
            name={name}
            about={t(`passkeys.about.${name}`)}
            isReadOnly={!form.mayOwn}
          />
        ))}
      </SectionCard>
      <SectionCard title={t('setting.passkeyDomain')} about={t('passkeys.about.passkeyDomain')}>
        <TextSetting
          form={form}
          name="passkeyDomain"
          about={t('passkeys.about.host')}
          placeholder="example.com"
          isReadOnly={!form.mayOwn}
          problem={isDomain ? undefined : t('passkeys.notHost')}
        />
        {edit !== undefined && isDomain && (
          <>
            <PasskeysLost />
            <TextField
              label={t('passkeys.confirm', { text: typed })}
              value={confirmed}
              autoComplete="off"
              onChange={(event) => setConfirmed(event.target.value)}
              slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false } }}
            />
          </>
        )}
      </SectionCard>
      <SectionCard title={t('setting.passkeyVerification')}>
        <ChoiceSetting
          form={form}
          name="passkeyVerification"
          isReadOnly={!form.mayOwn}
          options={VERIFICATIONS.map((value) => ({
            value,
            label: t(`passkeys.${value}`),
            about: t(`passkeys.about.${value}`),
          }))}
        />
      </SectionCard>
      <NativeAppsCards form={form} />
      <SaveBar form={form} problem={problems.find((problem) => problem !== undefined)} />
    </>
  );
}

/** Says how many passkeys stop working when the domain changes. */
function PasskeysLost() {
  const { t, i18n } = useTranslation('sign-in');
  const api = useApi();
  const project = useProjectId();
  const counted = loadableOf(
    useQuery({ queryKey: ['passkeys', project], queryFn: () => countPasskeys(api, project) }),
  );
  return (
    <Loaded of={counted}>
      {({ count, isExact }) => {
        const number = `${new Intl.NumberFormat(i18n.language).format(count)}${isExact ? '' : '+'}`;
        return (
          <Alert severity={count === 0 ? 'info' : 'warning'}>
            {count === 0 ? t('passkeys.noneLost') : t('passkeys.lost', { number })}
          </Alert>
        );
      }}
    </Loaded>
  );
}
