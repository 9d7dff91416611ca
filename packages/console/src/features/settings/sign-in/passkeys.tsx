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
import { SaveBar } from './save-bar.tsx';
import { ChoiceSetting, FlagSetting, findProblemAt, TextSetting } from './setting-fields.tsx';
import { SETTINGS, type SettingsForm } from './settings-form.ts';

const VERIFICATIONS = ['REQUIRED', 'PREFERRED'] as const;
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
/** SHA-256 in base64url, and in hexadecimal as the tools of Android print it. */
const KEY_HASH = /^[\w-]{43}$/;
const HEX_HASH = /^(?:[0-9a-f]{2}:?){31}[0-9a-f]{2}$/i;

/** Returns the hash in base64url if it is hexadecimal, and otherwise unchanged. */
export function toKeyHash(text: string): string {
  if (!HEX_HASH.test(text)) return text;
  const bytes = text.replaceAll(':', '').match(/../g) ?? [];
  const binary = String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

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
  const hashes = readList(form.value(SETTINGS.passkeyAndroid));
  const areHashes = hashes.every((hash) => KEY_HASH.test(hash));
  /** The text that the user types to confirm: the new domain, or the old one if the field is empty. */
  const typed = domain === '' ? String(edit?.before ?? '') : domain;
  const isConfirmed = edit === undefined || confirmed.trim() === typed;
  const problems = [
    isDomain ? undefined : t('passkeys.notHost'),
    areHashes ? undefined : t('passkeys.notHash'),
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
      <AndroidCard form={form} hashes={hashes} areHashes={areHashes} />
      <SaveBar form={form} problem={problems.find((problem) => problem !== undefined)} />
    </>
  );
}

interface AndroidCardProps {
  readonly form: SettingsForm;
  readonly hashes: readonly string[];
  readonly areHashes: boolean;
}

/** The hashes of the keys that sign the project's Android apps, one in each line. */
function AndroidCard({ form, hashes, areHashes }: AndroidCardProps) {
  const { t } = useTranslation('sign-in');
  const [text, setText] = useState<string | null>(null);
  const isShown = text !== null && JSON.stringify(readLines(text)) === JSON.stringify(hashes);
  const wrong = areHashes ? findProblemAt(form.error, SETTINGS.passkeyAndroid) : t('passkeys.notHash');
  return (
    <SectionCard title={t('setting.passkeyAndroid')} about={t('passkeys.about.passkeyAndroid')}>
      <TextField
        multiline
        minRows={2}
        maxRows={10}
        label={t('passkeys.hashes')}
        // The typed text stays as it is, with its empty lines, unless the edit was discarded.
        value={isShown ? text : hashes.join('\n')}
        error={wrong !== undefined}
        helperText={wrong ?? t('passkeys.about.hashes')}
        onChange={(event) => {
          setText(event.target.value);
          form.set(SETTINGS.passkeyAndroid, readLines(event.target.value));
        }}
        slotProps={{
          input: { readOnly: !form.mayOwn },
          htmlInput: { dir: 'ltr', spellCheck: false },
        }}
      />
    </SectionCard>
  );
}

function readList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function readLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => toKeyHash(line.trim()))
    .filter((line) => line !== '');
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
