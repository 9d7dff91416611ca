import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DenialSettings } from '../../../api/denials.ts';
import { useRights } from '../../../session/session.ts';
import { notify } from '../../../ui/notices.tsx';
import { Failure, Loaded } from '../../../ui/states.tsx';
import { useDenialSettings } from './use-denials.ts';

/** Maximum values, as on the server. */
const MAX_KEEP = 100_000;
const MAX_DAYS = 366;

interface DenialSettingsDialogProps {
  readonly isOpen: boolean;
  readonly database: string;
  readonly close: () => void;
}

/** The settings of the denial log: how many denials it stores, how long, and with which values. */
export function DenialSettingsDialog({ isOpen, database, close }: DenialSettingsDialogProps) {
  const { t } = useTranslation('rules');
  const titleId = useId();
  const [isRunning, setIsRunning] = useState(false);
  return (
    <Dialog
      open={isOpen}
      // The dialog stays open while it saves, so that the user sees the result.
      onClose={isRunning ? undefined : close}
      aria-labelledby={titleId}
      maxWidth="sm"
      fullWidth
    >
      <DialogTitle id={titleId}>{t('denials.settingsTitle')}</DialogTitle>
      {isOpen && (
        <SettingsOf database={database} isRunning={isRunning} setIsRunning={setIsRunning} close={close} />
      )}
    </Dialog>
  );
}

interface Saving {
  readonly isRunning: boolean;
  readonly setIsRunning: (isRunning: boolean) => void;
  readonly close: () => void;
}

function SettingsOf({ database, ...saving }: Saving & { readonly database: string }) {
  const { settings, change } = useDenialSettings(database);
  return (
    <Loaded of={settings}>
      {(initial) => <SettingsForm initial={initial} change={change} {...saving} />}
    </Loaded>
  );
}

interface SettingsFormProps extends Saving {
  readonly initial: DenialSettings;
  readonly change: (change: Partial<DenialSettings>) => Promise<unknown>;
}

function SettingsForm({ initial, change, isRunning, setIsRunning, close }: SettingsFormProps) {
  const { t } = useTranslation('rules');
  const { t: shared } = useTranslation();
  const { mayChange } = useRights();
  const [settings, setSettings] = useState(initial);
  const [error, setError] = useState<unknown>();
  async function save(): Promise<void> {
    setIsRunning(true);
    try {
      await change(settings);
      notify({ kind: 'done', text: t('denials.saved') });
      close();
    } catch (cause) {
      setError(cause);
    } finally {
      setIsRunning(false);
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2, paddingBlockStart: 1 }}>
        <FormControlLabel
          control={
            <Switch
              checked={settings.isOn}
              disabled={!mayChange}
              onChange={(_event, isOn) => setSettings({ ...settings, isOn })}
            />
          }
          label={t('denials.isOn')}
        />
        <NumberField
          label={t('denials.keep')}
          value={settings.keep}
          max={MAX_KEEP}
          isDisabled={!mayChange}
          change={(keep) => setSettings({ ...settings, keep })}
        />
        <NumberField
          label={t('denials.days')}
          value={settings.days}
          max={MAX_DAYS}
          isDisabled={!mayChange}
          change={(days) => setSettings({ ...settings, days })}
        />
        <FormControlLabel
          control={
            <Switch
              checked={settings.keepValues}
              disabled={!mayChange}
              onChange={(_event, keepValues) => setSettings({ ...settings, keepValues })}
            />
          }
          label={t('denials.keepValues')}
        />
        <Typography variant="body2" color="textSecondary">
          {t('denials.keepValuesHint')}
        </Typography>
        {error !== undefined && <Failure error={error} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={close} disabled={isRunning}>
          {shared('cancel')}
        </Button>
        {mayChange && (
          <Button type="submit" variant="contained" loading={isRunning}>
            {t('denials.save')}
          </Button>
        )}
      </DialogActions>
    </form>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly isDisabled: boolean;
  readonly change: (value: number) => void;
}

function NumberField({ label, value, max, isDisabled, change }: NumberFieldProps) {
  return (
    <TextField
      required
      type="number"
      label={label}
      value={value === 0 ? '' : value}
      disabled={isDisabled}
      onChange={(event) => change(Number(event.target.value))}
      slotProps={{ htmlInput: { min: 1, max, step: 1 } }}
    />
  );
}
