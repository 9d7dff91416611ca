import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { SETTINGS } from './settings.ts';
import { decodeSmtp, encodeSmtp, SECURITY_MODES, type Smtp, USUAL_PORTS } from './smtp.ts';
import type { SettingsForm } from './use-settings-form.ts';

const FIELDS = ['senderEmail', 'host', 'port', 'username', 'password'] as const;

/** The mail server of the project's own. */
export function SmtpForm({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const smtp = decodeSmtp(form.value(SETTINGS.smtp));
  const change = (part: Partial<Smtp>): void => form.set(SETTINGS.smtp, encodeSmtp({ ...smtp, ...part }));
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
      {FIELDS.map((field) => (
        <TextField
          key={field}
          label={t(`smtp.${field}`)}
          value={smtp[field]}
          type={field === 'password' ? 'password' : 'text'}
          autoComplete={field === 'password' ? 'new-password' : 'off'}
          helperText={field === 'password' ? t('smtp.passwordHint') : undefined}
          onChange={(event) => change({ [field]: event.target.value })}
          slotProps={{
            input: { readOnly: !form.mayOwn },
            htmlInput: { dir: 'ltr', spellCheck: false, inputMode: field === 'port' ? 'numeric' : 'text' },
          }}
        />
      ))}
      <TextField
        select
        label={t('smtp.securityMode')}
        value={smtp.securityMode}
        disabled={!form.mayOwn}
        onChange={(event) => {
          const securityMode = SECURITY_MODES.find((mode) => mode === event.target.value) ?? 'SSL';
          const isUsual = Object.values(USUAL_PORTS).includes(smtp.port);
          change({ securityMode, ...(isUsual ? { port: USUAL_PORTS[securityMode] } : {}) });
        }}
      >
        {SECURITY_MODES.map((mode) => (
          <MenuItem key={mode} value={mode}>
            {t(`smtp.security.${mode}`)}
          </MenuItem>
        ))}
      </TextField>
    </Box>
  );
}
