import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import { type ReactNode, type Ref, useId } from 'react';

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
