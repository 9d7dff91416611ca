import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { type ReactNode, type Ref, useId } from 'react';
import { VisuallyHidden } from './text.tsx';

/** A form in a card, with the spacing of the card. */
export const Form = styled('form')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: theme.spacing(2),
}));

interface FieldProps {
  readonly label: string;
  readonly type: 'email' | 'password' | 'tel' | 'text';
  /** Autocomplete token for browsers and password managers. */
  readonly autoComplete: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Error of the value; empty if it is valid. */
  readonly error: string;
  /** ID of an element that describes the field. */
  readonly describedBy?: string;
  readonly inputRef: Ref<HTMLInputElement>;
  readonly endAdornment?: ReactNode;
}

/** A labeled text field with its error below. The text direction is left to right in every language. */
export function Field(props: FieldProps) {
  const { label, type, autoComplete, value, onChange, error, describedBy, inputRef, endAdornment } = props;
  const id = useId();
  const errorId = `${id}-error`;
  return (
    <FormControl variant="outlined" fullWidth error={error !== ''}>
      <InputLabel htmlFor={id}>{label}</InputLabel>
      <OutlinedInput
        id={id}
        label={label}
        type={type}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        inputRef={inputRef}
        endAdornment={endAdornment}
        autoComplete={autoComplete}
        inputProps={{
          'aria-describedby': describedBy === undefined ? errorId : `${errorId} ${describedBy}`,
          'aria-invalid': error !== '',
          autoCapitalize: 'none',
          spellCheck: false,
          dir: 'ltr',
        }}
      />
      <FormHelperText id={errorId} role="alert">
        {error}
      </FormHelperText>
    </FormControl>
  );
}

interface ActionButtonProps {
  readonly label: string;
  readonly variant?: 'contained' | 'outlined';
  /** Announced while the action runs. The button keeps the focus, and does not call `onPress`. */
  readonly busyLabel?: string | undefined;
  /** Omitted if the button submits a form. */
  readonly onPress?: () => void;
}

/** A button as wide as the card. */
export function ActionButton({ label, variant = 'contained', busyLabel, onPress }: ActionButtonProps) {
  const isBusy = busyLabel !== undefined;
  return (
    <>
      <Button
        type={onPress === undefined ? 'submit' : 'button'}
        variant={variant}
        size="large"
        fullWidth
        disableElevation
        disableRipple
        aria-disabled={isBusy}
        onClick={isBusy ? undefined : onPress}
        sx={isBusy ? { opacity: 0.6, cursor: 'progress' } : {}}
      >
        {label}
      </Button>
      <VisuallyHidden role="status">{busyLabel}</VisuallyHidden>
    </>
  );
}
