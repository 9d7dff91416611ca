import { decideSignUp, NO_SIGN_UP_RULES, type SignUpRules } from '@hearth/core/api/sign-up-rules.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../ui/sections.tsx';
import { findProblemAt } from './setting-fields.tsx';
import { isSame, SETTINGS, type SettingsForm } from './settings-form.ts';

const DOMAIN = /^[^\s@.,:/]+(?:\.[^\s@.,:/]+)+$/;
const PROVIDER = /^[a-z][\w.-]{0,127}$/;
const RULES = ['allowedDomains', 'deniedDomains', 'providers', 'claims'] as const;
type RuleName = (typeof RULES)[number];

type Claims = SignUpRules['claims'];

/** Reads lines with a domain and a JSON object. The claims of a line that is not valid are `undefined`. */
function readClaims(text: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    linesOf(text).map((line) => {
      const [, domain = line, json = ''] = /^(\S+)[\s:=]+(\{.*)$/.exec(line) ?? [];
      return [domain.toLowerCase(), parseObject(json)];
    }),
  );
}

function parseObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Returns whether the server accepts a rule, as far as the page can decide. */
function isRule(name: RuleName, value: unknown): boolean {
  if (name !== 'claims') {
    const pattern = name === 'providers' ? PROVIDER : DOMAIN;
    return Array.isArray(value) && value.every((text) => pattern.test(text));
  }
  return Object.entries(Object(value)).every(([domain, claims]) => DOMAIN.test(domain) && claims !== null);
}

function rulesOf(form: SettingsForm): SignUpRules {
  return { ...NO_SIGN_UP_RULES, ...Object(form.value(SETTINGS.signUpRules)) };
}

/** Returns the problem of the rules; `undefined` if they can be saved. */
export function useSignUpProblem(form: SettingsForm): string | undefined {
  const { t } = useTranslation('sign-in');
  const rules = rulesOf(form);
  const wrong = RULES.find((name) => !isRule(name, rules[name]));
  return wrong === undefined ? undefined : t(`signUp.problem.${wrong}`);
}

/** The rules for new accounts, with what they decide about an address. */
export function SignUpRulesCard({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const rules = rulesOf(form);
  const set = (name: RuleName, value: unknown): void => {
    const next = Object.entries({ ...rules, [name]: value }).filter(([, one]) => Object.keys(one).length > 0);
    form.set(SETTINGS.signUpRules, Object.fromEntries(next));
  };
  return (
    <SectionCard title={t('setting.signUpRules')} about={t('signUp.about')}>
      {RULES.map((name) => (
        <RuleField key={name} form={form} name={name} value={rules[name]} set={(value) => set(name, value)} />
      ))}
      <Trial rules={rules} />
    </SectionCard>
  );
}

interface RuleFieldProps {
  readonly form: SettingsForm;
  readonly name: RuleName;
  readonly value: readonly string[] | Claims;
  readonly set: (value: unknown) => void;
}

/** A rule with one entry in each line. */
function RuleField({ form, name, value, set }: RuleFieldProps) {
  const { t } = useTranslation('sign-in');
  const [text, setText] = useState<string | null>(null);
  const read = (typed: string): unknown =>
    name === 'claims' ? readClaims(typed) : linesOf(typed).map((line) => line.toLowerCase());
  // The typed text stays as it is, with its empty lines, unless the edit was discarded.
  const isShown = text !== null && isSame(read(text), value);
  const wrong = isRule(name, value)
    ? findProblemAt(form.error, `${SETTINGS.signUpRules}.${name}`)
    : t(`signUp.problem.${name}`);
  return (
    <TextField
      multiline
      minRows={1}
      maxRows={10}
      label={t(`signUp.list.${name}`)}
      value={isShown ? text : textOf(value)}
      error={wrong !== undefined}
      helperText={wrong ?? t(`signUp.help.${name}`)}
      onChange={({ target }) => {
        setText(target.value);
        set(read(target.value));
      }}
      slotProps={{ input: { readOnly: !form.mayOwn }, htmlInput: { dir: 'ltr', spellCheck: false } }}
    />
  );
}

function textOf(value: readonly string[] | Claims): string {
  if (Array.isArray(value)) return value.join('\n');
  return Object.entries(value)
    .map(([domain, claims]) => `${domain} ${JSON.stringify(claims)}`)
    .join('\n');
}

/** Says what the rules decide about an address, while the user types. */
function Trial({ rules }: { readonly rules: SignUpRules }) {
  const { t } = useTranslation('sign-in');
  const [email, setEmail] = useState('');
  const [provider, setProvider] = useState('password');
  const decision = email.includes('@')
    ? decideSignUp(rules, { email: email.trim(), provider: provider.trim() })
    : undefined;
  const fields = [
    { label: t('signUp.try'), value: email, set: setEmail },
    { label: t('signUp.with'), value: provider, set: setProvider },
  ] as const;
  return (
    <>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {fields.map(({ label, value, set }) => (
          <TextField
            key={label}
            label={label}
            value={value}
            onChange={({ target }) => set(target.value)}
            slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false, autoComplete: 'off' } }}
          />
        ))}
      </Box>
      <Box role="status">
        {decision?.kind === 'allowed' && <Alert severity="success">{t('signUp.decision.allowed')}</Alert>}
        {decision?.kind === 'rejected' && (
          <Alert severity="warning">
            {t(`signUp.decision.${decision.rule}`, { value: decision.value ?? '' })}
          </Alert>
        )}
      </Box>
    </>
  );
}
