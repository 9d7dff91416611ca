import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import { type ReactNode, type Ref, useId } from 'react';
import { VisuallyHidden } from './text.tsx';

/** A form within a card, spaced as the card is. */
export const Form = styled('form')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: theme.spacing(2),
}));

interface FieldProps {
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  /** What browsers and password managers may fill in. */
  readonly autoComplete: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is wrong with the value; empty when nothing is. */
  readonly error: string;
  /** Id of an element that says more about the field. */
  readonly describedBy?: string;
  readonly inputRef: Ref<HTMLInputElement>;
  readonly endAdornment?: ReactNode;
}

/** A line of text with its label, and below it what is wrong. Written from left to right in every language. */
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
  /** While it works it keeps the focus, and says so. */
  readonly busyLabel?: string | undefined;
  /** Left out where the button sends a form. */
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
