import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { ApiError, printError } from '../../../api/client.ts';
import { INVERTED, SETTINGS, type SettingName, type SettingsForm } from './settings-form.ts';
import { SwitchSetting } from './switch-setting.tsx';

/**
 * Returns the sentence of an error that is about the setting at `path`; `undefined` if the error is about other settings. The
 * server begins such a sentence with the path.
 */
export function findProblemAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const sentences = printError(error).split(/(?<=\.) (?=[a-z]\w*(?:\.\w+)+[ :])/);
  return sentences.find((sentence) => [' ', ':'].some((end) => sentence.startsWith(`${path}${end}`)));
}

interface SettingProps<Name extends SettingName = SettingName> {
  readonly form: SettingsForm;
  readonly name: Name;
  /** A sentence that explains the setting. */
  readonly about: string;
  readonly isReadOnly: boolean;
}

/** A setting that is on or off. */
export function FlagSetting({ form, name, about, isReadOnly }: SettingProps) {
  const { t } = useTranslation('sign-in');
  const path = SETTINGS[name];
  const isInverted = INVERTED.has(path);
  return (
    <SwitchSetting
      label={t(`setting.${name}`)}
      about={about}
      isOn={(form.value(path) === true) !== isInverted}
      isDisabled={isReadOnly}
      set={(isOn) => form.set(path, isOn !== isInverted)}
    />
  );
}

interface TextSettingProps extends SettingProps {
  /** The problem of the typed text; `undefined` if it is valid. */
  readonly problem?: string | undefined;
  readonly placeholder?: string;
}

/** A setting that is a text in a left-to-right notation, such as an address. */
export function TextSetting({ form, name, about, isReadOnly, problem, placeholder }: TextSettingProps) {
  const { t } = useTranslation('sign-in');
  const path = SETTINGS[name];
  const wrong = problem ?? findProblemAt(form.error, path);
  return (
    <TextField
      fullWidth
      label={t(`setting.${name}`)}
      value={String(form.value(path) ?? '')}
      error={wrong !== undefined}
      helperText={wrong ?? about}
      placeholder={placeholder ?? ''}
      onChange={(event) => form.set(path, event.target.value)}
      slotProps={{
        input: { readOnly: isReadOnly },
        htmlInput: { dir: 'ltr', spellCheck: false },
        inputLabel: { shrink: true },
      }}
    />
  );
}

interface NumberSettingProps extends SettingProps {
  readonly least: number;
  readonly most: number;
  /** The value of a configuration without the setting. */
  readonly absent: number;
}

/** Returns the explanation of a whole number outside its bounds; `undefined` if it is within them. */
export function useRangeProblem(): (value: unknown, least: number, most: number) => string | undefined {
  const { t, i18n } = useTranslation('sign-in');
  const print = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  return (value, least, most) =>
    value === undefined || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most)
      ? undefined
      : t('range', { least: print(least), most: print(most) });
}

/** A setting that is a whole number. */
export function NumberSetting({ form, name, about, isReadOnly, least, most, absent }: NumberSettingProps) {
  const { t } = useTranslation('sign-in');
  const rangeProblem = useRangeProblem();
  const path = SETTINGS[name];
  const value = form.value(path) ?? absent;
  const wrong = rangeProblem(value, least, most) ?? findProblemAt(form.error, path);
  return (
    <TextField
      type="number"
      label={t(`setting.${name}`)}
      value={Number.isNaN(value) ? '' : value}
      error={wrong !== undefined}
      helperText={wrong ?? about}
      onChange={(event) =>
        form.set(path, event.target.value === '' ? Number.NaN : Number(event.target.value))
      }
      slotProps={{ input: { readOnly: isReadOnly }, htmlInput: { min: least, max: most } }}
      sx={{ maxWidth: 480 }}
    />
  );
}

interface ChoiceSettingProps extends Omit<SettingProps, 'about'> {
  readonly options: readonly { readonly value: string; readonly label: string; readonly about: string }[];
}

/** A setting with a few values, of which the first is that of a configuration without the setting. */
export function ChoiceSetting({ form, name, isReadOnly, options }: ChoiceSettingProps) {
  const { t } = useTranslation('sign-in');
  const path = SETTINGS[name];
  const [first] = options;
  return (
    <RadioGroup
      aria-label={t(`setting.${name}`)}
      value={form.value(path) ?? first?.value}
      onChange={(event) => form.set(path, event.target.value)}
    >
      {options.map(({ value, label, about }) => (
        <FormControlLabel
          key={value}
          value={value}
          disabled={isReadOnly}
          control={<Radio />}
          sx={{ alignItems: 'flex-start', marginBlockEnd: 1 }}
          label={
            <>
              <Typography sx={{ fontWeight: 500, marginBlockStart: 1 }}>{label}</Typography>
              <Typography variant="body2" color="textSecondary">
                {about}
              </Typography>
            </>
          }
        />
      ))}
    </RadioGroup>
  );
}
