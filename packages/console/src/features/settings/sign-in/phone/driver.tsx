import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../../session/session.ts';
import { SectionCard } from '../../../../ui/sections.tsx';
import { findProblemAt } from '../setting-fields.tsx';
import { SETTINGS, type SettingsForm } from '../settings-form.ts';
import { SwitchSetting } from '../switch-setting.tsx';

/** The text fields of each SMS service. `NONE` stands for no service; `LOG` prints messages in development mode. */
const FIELDS = {
  NONE: [],
  LOG: [],
  TWILIO: ['accountSid', 'apiKeySid', 'from', 'secret'],
  VONAGE: ['apiKey', 'from', 'secret'],
  WEBHOOK: ['url', 'secret'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type ServiceType = keyof typeof FIELDS;
const TYPES: readonly ServiceType[] = ['NONE', 'TWILIO', 'VONAGE', 'WEBHOOK'];

type Driver = Readonly<Record<string, unknown>>;

/** Returns the configuration of a service of another type, without the members that only the old type has. */
export function withType(driver: Driver, type: ServiceType): Driver {
  if (type === 'NONE') return {};
  const fields: readonly string[] = FIELDS[type];
  const kept = Object.entries(driver).filter(([name]) => fields.includes(name) && name !== 'secret');
  return { ...Object.fromEntries(kept), type, ...(type === 'WEBHOOK' ? { sendsCode: false } : {}) };
}

/** Returns the configuration with another value of a field. Without a new secret, the stored one stays. */
function withField(driver: Driver, field: string, value: string): Driver {
  const { [field]: _old, ...others } = driver;
  return field === 'secret' && value === '' ? others : { ...others, [field]: value };
}

/** The SMS service and the project's account there. */
export function DriverCard({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const { parameters } = useSession();
  const path = SETTINGS.smsDriver;
  const driver: Driver = Object(form.value(path));
  const known = Object.keys(FIELDS) as readonly ServiceType[];
  const type = known.find((one) => one === driver['type']) ?? 'NONE';
  const types = parameters.mode === 'development' || type === 'LOG' ? [...TYPES, 'LOG' as const] : TYPES;
  const isReadOnly = !form.mayOwn;
  return (
    <SectionCard title={t('setting.smsDriver')} about={t(`phone.about.service.${type}`)}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <TextField
          select
          label={t('phone.service')}
          value={type}
          disabled={isReadOnly}
          onChange={(event) =>
            form.set(path, withType(driver, known.find((one) => one === event.target.value) ?? 'NONE'))
          }
        >
          {types.map((one) => (
            <MenuItem key={one} value={one}>
              {t(`phone.services.${one}`)}
            </MenuItem>
          ))}
        </TextField>
        {FIELDS[type].map((field) => {
          const wrong = findProblemAt(form.error, `${path}.${field}`);
          return (
            <TextField
              key={field}
              label={t(`phone.field.${field}`)}
              value={String(driver[field] ?? '')}
              type={field === 'secret' ? 'password' : 'text'}
              autoComplete={field === 'secret' ? 'new-password' : 'off'}
              error={wrong !== undefined}
              helperText={wrong ?? (field === 'secret' ? t('smtp.passwordHint') : t(`phone.about.${field}`))}
              onChange={(event) => form.set(path, withField(driver, field, event.target.value))}
              slotProps={{
                input: { readOnly: isReadOnly },
                htmlInput: { dir: 'ltr', spellCheck: false },
              }}
            />
          );
        })}
      </Box>
      {type === 'WEBHOOK' && (
        <SwitchSetting
          label={t('phone.sendsCode')}
          about={t('phone.about.sendsCode')}
          isOn={driver['sendsCode'] === true}
          isDisabled={isReadOnly}
          set={(sendsCode) => form.set(path, { ...driver, sendsCode })}
        />
      )}
    </SectionCard>
  );
}
