import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { SxProps, Theme } from '@mui/material/styles';
import { useId } from 'react';
import { MONOSPACE } from '../../theme.ts';

interface TextLineProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  /** Why the value cannot be used. */
  readonly problem?: string | undefined;
  readonly sx?: SxProps<Theme>;
}

/** A line of code to type. Material UI's text field brings its menus along, for which the first view is too early. */
export function TextLine({ label, value, change, problem, sx }: TextLineProps) {
  const id = useId();
  const isWrong = problem !== undefined;
  return (
    <FormControl
      required
      size="small"
      variant="outlined"
      error={isWrong}
      {...(sx === undefined ? {} : { sx })}
    >
      <InputLabel htmlFor={id}>{label}</InputLabel>
      <OutlinedInput
        id={id}
        label={label}
        value={value}
        onChange={({ target }) => change(target.value)}
        inputProps={{
          dir: 'ltr',
          spellCheck: false,
          style: { fontFamily: MONOSPACE },
          'aria-describedby': isWrong ? `${id}-problem` : undefined,
        }}
      />
      {isWrong && <FormHelperText id={`${id}-problem`}>{problem}</FormHelperText>}
    </FormControl>
  );
}
