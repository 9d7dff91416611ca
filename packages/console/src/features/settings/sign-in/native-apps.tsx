import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../ui/sections.tsx';
import { findProblemAt } from './setting-fields.tsx';
import { SETTINGS, type SettingsForm } from './settings-form.ts';

/** SHA-256 in base64url, and in hexadecimal as the tools of Android print it. */
const KEY_HASH = /^[\w-]{43}$/;
const HEX_HASH = /^(?:[0-9a-f]{2}:?){31}[0-9a-f]{2}$/i;
const PACKAGE = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/;
const APP_ID = /^[A-Z0-9]{10}(?:\.[A-Za-z0-9-]+)+$/;

/** Returns the hash in base64url if it is hexadecimal, and otherwise unchanged. */
export function toKeyHash(text: string): string {
  if (!HEX_HASH.test(text)) return text;
  const bytes = text.replaceAll(':', '').match(/../g) ?? [];
  const binary = String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The lists of native apps: of names, of the hashes of the keys that sign them, and of IDs. */
const LISTS = {
  passkeyAndroidApps: { form: PACKAGE, problem: 'notPackage', label: 'packages' },
  passkeyAndroid: { form: KEY_HASH, problem: 'notHash', label: 'hashes' },
  passkeyApple: { form: APP_ID, problem: 'notAppId', label: 'appIds' },
} as const;

type ListName = keyof typeof LISTS;
const ANDROID: readonly ListName[] = ['passkeyAndroidApps', 'passkeyAndroid'];
const APPLE: readonly ListName[] = ['passkeyApple'];
/** Where the systems look for the apps. */
const LISTED_AT = {
  android: '/.well-known/assetlinks.json',
  apple: '/.well-known/apple-app-site-association',
} as const;

function problemOf(form: SettingsForm, name: ListName): 'notPackage' | 'notHash' | 'notAppId' | undefined {
  const { form: pattern, problem } = LISTS[name];
  return readList(form.value(SETTINGS[name])).every((text) => pattern.test(text)) ? undefined : problem;
}

/** Returns the problem of the native apps; `undefined` if they can be saved. */
export function useNativeAppsProblem(form: SettingsForm): string | undefined {
  const { t } = useTranslation('sign-in');
  const problem = [...ANDROID, ...APPLE]
    .map((name) => problemOf(form, name))
    .find((one) => one !== undefined);
  return problem === undefined ? undefined : t(`passkeys.${problem}`);
}

/** The native apps that use the passkeys of the project. */
export function NativeAppsCards({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const systems = [
    { system: 'android', title: 'passkeyAndroid', names: ANDROID },
    { system: 'apple', title: 'passkeyApple', names: APPLE },
  ] as const;
  return systems.map(({ system, title, names }) => (
    <SectionCard key={system} title={t(`setting.${title}`)} about={t(`passkeys.about.${title}`)}>
      {names.map((name) => (
        <ListField key={name} form={form} name={name} />
      ))}
      <Box>
        <Typography variant="body2" color="textSecondary">
          {t('passkeys.listed')}{' '}
          <Link href={LISTED_AT[system]} target="_blank" rel="noreferrer">
            {LISTED_AT[system]}
          </Link>
        </Typography>
      </Box>
    </SectionCard>
  ));
}

interface ListFieldProps {
  readonly form: SettingsForm;
  readonly name: ListName;
}

/** A list with one entry in each line. */
function ListField({ form, name }: ListFieldProps) {
  const { t } = useTranslation('sign-in');
  const [text, setText] = useState<string | null>(null);
  const { label } = LISTS[name];
  const path = SETTINGS[name];
  const list = readList(form.value(path));
  const isShown = text !== null && JSON.stringify(readLines(text)) === JSON.stringify(list);
  const problem = problemOf(form, name);
  const wrong = problem === undefined ? findProblemAt(form.error, path) : t(`passkeys.${problem}`);
  return (
    <TextField
      multiline
      minRows={2}
      maxRows={10}
      label={t(`passkeys.${label}`)}
      // The typed text stays as it is, with its empty lines, unless the edit was discarded.
      value={isShown ? text : list.join('\n')}
      error={wrong !== undefined}
      helperText={wrong ?? t(`passkeys.about.${label}`)}
      onChange={({ target }) => {
        setText(target.value);
        form.set(path, readLines(target.value));
      }}
      slotProps={{
        input: { readOnly: !form.mayOwn },
        htmlInput: { dir: 'ltr', spellCheck: false },
      }}
    />
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
