import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { testRecaptcha } from '../../../api/settings.ts';
import { SectionCard } from '../../../ui/sections.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { findProblemAt } from './setting-fields.tsx';
import { SETTINGS, type SettingsForm } from './settings-form.ts';

type Keys = Readonly<Record<string, unknown>>;

/** The text fields of the keys, in the order in which they are shown. */
const FIELDS = ['siteKey', 'secret', 'verifierSiteKey', 'verifierSecret'] as const;
/** The lowest accepted score of a project that has not chosen one, as on the server. */
const SCORE = 0.5;

/** Returns the keys with another text of a member. Without any key, the project does not use reCAPTCHA. */
function withText(keys: Keys, name: string, text: string): Keys {
  const { [name]: _old, ...others } = keys;
  const next: Keys = text === '' ? others : { ...others, [name]: text };
  return FIELDS.some((field) => next[field] !== undefined) ? next : {};
}

/** Returns whether a score can be saved. */
function isScore(score: unknown): boolean {
  return typeof score === 'number' && score >= 0 && score <= 1;
}

/** Returns the problem of the keys; `undefined` if they can be saved. */
export function useRecaptchaProblem(form: SettingsForm): string | undefined {
  const { t } = useTranslation('sign-in');
  const { minScore = SCORE } = Object(form.value(SETTINGS.recaptcha));
  return isScore(minScore) ? undefined : t('recaptcha.notScore');
}

/** The keys with which a project uses reCAPTCHA in place of the server's own captchas. */
export function RecaptchaCard({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const path = SETTINGS.recaptcha;
  const keys: Keys = Object(form.value(path));
  const isUsed = Object.keys(keys).length > 0;
  const isSaved = isUsed && form.edits[path] === undefined;
  const { minScore = SCORE } = keys;
  const wrongScore = isScore(minScore)
    ? findProblemAt(form.error, `${path}.minScore`)
    : t('recaptcha.notScore');
  return (
    <SectionCard title={t('setting.recaptcha')} about={t('recaptcha.about.use')}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        {FIELDS.map((name) => {
          const isSecret = name === 'secret' || name === 'verifierSecret';
          const wrong = findProblemAt(form.error, `${path}.${name}`);
          return (
            <TextField
              key={name}
              label={t(`recaptcha.field.${name}`)}
              value={String(keys[name] ?? '')}
              type={isSecret ? 'password' : 'text'}
              autoComplete={isSecret ? 'new-password' : 'off'}
              error={wrong !== undefined}
              helperText={wrong ?? t(isSecret ? 'recaptcha.about.secret' : `recaptcha.about.${name}`)}
              onChange={({ target }) => form.set(path, withText(keys, name, target.value.trim()))}
              slotProps={{
                input: { readOnly: !form.mayOwn },
                htmlInput: { dir: 'ltr', spellCheck: false },
              }}
            />
          );
        })}
        {isUsed && (
          <TextField
            type="number"
            label={t('recaptcha.field.minScore')}
            value={Number.isNaN(minScore) ? '' : minScore}
            error={wrongScore !== undefined}
            helperText={wrongScore ?? t('recaptcha.about.minScore')}
            onChange={({ target }) =>
              form.set(path, {
                ...keys,
                minScore: target.value === '' ? Number.NaN : Number(target.value),
              })
            }
            slotProps={{
              input: { readOnly: !form.mayOwn },
              htmlInput: { min: 0, max: 1, step: 0.1 },
            }}
          />
        )}
      </Box>
      {isUsed && <Alert severity="info">{t('recaptcha.used')}</Alert>}
      {isSaved && form.mayChange && (
        <ConnectionTest
          label={t('recaptcha.test')}
          about={t('recaptcha.about.test')}
          test={async (api, project) => {
            const tests = await testRecaptcha(api, project);
            return tests.map(({ siteKey, state, message }) => ({
              key: siteKey,
              isGood: state === 'ok',
              content: (
                <>
                  <UntrustedText text={siteKey} isCode /> {t(`providers.test.state.${state}`)}
                  {message !== null && (
                    <>
                      {': '}
                      <UntrustedText text={message} />
                    </>
                  )}
                </>
              ),
            }));
          }}
        />
      )}
    </SectionCard>
  );
}
