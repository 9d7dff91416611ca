import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findNameProblem, MAX_NAME, type SavedQuery } from './saved-query.ts';

interface NameFormProps {
  readonly label: string;
  /** What is in the field at first. */
  readonly first: string;
  readonly others: readonly SavedQuery[];
  /** What the button does. */
  readonly action: string;
  readonly submit: (name: string) => void;
  /** Gives it up; absent where there is nothing to go back to. */
  readonly cancel?: () => void;
}

/** Asks for a name that is not taken. */
export function NameForm({ label, first, others, action, submit, cancel }: NameFormProps) {
  const { t, i18n } = useTranslation('data');
  const [name, setName] = useState(first);
  const problem = findNameProblem(name, others);
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === null) submit(name.trim());
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || cancel === undefined) return;
        event.stopPropagation();
        cancel();
      }}
      sx={{ display: 'flex', alignItems: 'start', gap: 1, flex: 1, paddingBlockStart: 1 }}
    >
      <TextField
        autoFocus
        fullWidth
        autoComplete="off"
        label={label}
        value={name}
        error={problem === 'long' || problem === 'taken'}
        helperText={
          problem === 'long' || problem === 'taken'
            ? t(`saved.problem.${problem}`, { number: MAX_NAME.toLocaleString(i18n.language) })
            : ' '
        }
        onChange={({ target }) => setName(target.value)}
        onFocus={({ target }) => target.select()}
        slotProps={{ htmlInput: { dir: 'auto' } }}
      />
      <Button type="submit" variant="contained" disabled={problem !== null}>
        {action}
      </Button>
      {cancel !== undefined && <Button onClick={cancel}>{t('edit.cancel')}</Button>}
    </Box>
  );
}
