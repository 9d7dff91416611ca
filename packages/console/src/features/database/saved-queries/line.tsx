import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import RenameIcon from '@mui/icons-material/EditOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useFocusAfter } from '../../../ui/interaction.ts';
import { showControls, UntrustedText } from '../../../ui/text.tsx';
import { Hint } from '../../../ui/tooltip.tsx';
import { findNameProblem, MAX_NAME, type SavedQuery } from './store.ts';

interface NameFormProps {
  readonly label: string;
  /** Initial content of the field. */
  readonly first: string;
  readonly others: readonly SavedQuery[];
  /** Label of the button. */
  readonly action: string;
  readonly submit: (name: string) => void;
  /** Cancels the form; absent if it cannot be canceled. */
  readonly cancel?: () => void;
}

/** Asks the member for a name that no other query has. */
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

interface SavedQueryLineProps {
  readonly query: SavedQuery;
  readonly to: string;
  readonly others: readonly SavedQuery[];
  readonly rename: (name: string) => void;
  readonly remove: () => void;
  /** Closes the list after the query was opened. */
  readonly close: () => void;
}

/** A row of the list that opens, renames or deletes a saved query. */
export function SavedQueryLine({ query, to, others, rename, remove, close }: SavedQueryLineProps) {
  const { t } = useTranslation('data');
  const [isRenaming, setRenaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useFocusAfter(
    !isRenaming,
    useCallback(() => button.current?.focus(), []),
  );
  const name = showControls(query.name);
  if (isRenaming)
    return (
      <Box component="li">
        <NameForm
          label={t('saved.rename', { name })}
          first={query.name}
          others={others}
          action={t('edit.save')}
          submit={(changed) => {
            rename(changed);
            setRenaming(false);
          }}
          cancel={() => setRenaming(false)}
        />
      </Box>
    );
  return (
    <Box
      component="li"
      sx={{ display: 'flex', alignItems: 'center', gap: 1, borderBlockEnd: 1, borderColor: 'divider' }}
    >
      <Box sx={{ flex: 1, minWidth: 0, paddingBlock: 0.75 }}>
        <Link component={RouterLink} to={to} onClick={close} sx={{ fontWeight: 600 }}>
          <UntrustedText text={query.name} />
        </Link>
        <Typography component="div" variant="body2" color="textSecondary">
          <UntrustedText isCode text={`${query.database}${query.path} ${summaryOf(query)}`} />
        </Typography>
      </Box>
      <Hint title={t('saved.rename', { name })}>
        <IconButton ref={button} aria-label={t('saved.rename', { name })} onClick={() => setRenaming(true)}>
          <RenameIcon fontSize="small" />
        </IconButton>
      </Hint>
      <Hint title={t('saved.remove', { name })}>
        <IconButton aria-label={t('saved.remove', { name })} onClick={remove}>
          <DeleteIcon fontSize="small" />
        </IconButton>
      </Hint>
    </Box>
  );
}

/** Returns the parameters of a query as readable text. */
function summaryOf({ parameters }: SavedQuery): string {
  return [...new URLSearchParams(parameters)].map(([name, value]) => `${name}=${value}`).join(' ');
}
