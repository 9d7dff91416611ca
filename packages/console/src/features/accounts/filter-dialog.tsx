import FilterIcon from '@mui/icons-material/FilterListOutlined';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type Command, useCommands } from '../../shell/commands.ts';
import { LISTED_PROVIDERS, useProviderName } from './account-text.tsx';
import { type ChosenFilter, parseChosen, SEEN, STATES, withChosen } from './filter.ts';

interface FilterProps {
  readonly chosen: ChosenFilter;
}

/** A button that opens the dialog with the filters of the account list. */
export function FilterButton({ chosen }: FilterProps) {
  const { t } = useTranslation('accounts');
  const [isOpen, setIsOpen] = useState(false);
  const titleId = useId();
  const commands = useMemo(
    (): readonly Command[] => [
      {
        id: 'accounts.filter',
        title: t('filter.title'),
        group: t('title'),
        keys: 'f',
        run: () => setIsOpen(true),
      },
    ],
    [t],
  );
  useCommands(commands);
  return (
    <>
      <Button startIcon={<FilterIcon />} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {t('filter.open')}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        aria-labelledby={titleId}
        fullWidth
        maxWidth="xs"
      >
        {isOpen && <FilterForm chosen={chosen} titleId={titleId} close={() => setIsOpen(false)} />}
      </Dialog>
    </>
  );
}

interface FilterFormProps extends FilterProps {
  readonly titleId: string;
  readonly close: () => void;
}

type Typed = Readonly<Record<keyof ChosenFilter, string>>;

function FilterForm({ chosen, titleId, close }: FilterFormProps) {
  const { t } = useTranslation('accounts');
  const { t: shared } = useTranslation();
  const [, setParameters] = useSearchParams();
  const printProvider = useProviderName();
  const [typed, setTyped] = useState<Typed>({ state: '', provider: '', claim: '', seen: '', ...chosen });
  const set = (name: keyof Typed) => (value: string) => setTyped((before) => ({ ...before, [name]: value }));
  const isOtherProvider = typed.provider !== '' && !LISTED_PROVIDERS.includes(typed.provider);
  const providers = isOtherProvider ? [...LISTED_PROVIDERS, typed.provider] : LISTED_PROVIDERS;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setParameters((before) => withChosen(before, parseChosen(new URLSearchParams(typed))));
        close();
      }}
    >
      <DialogTitle id={titleId}>{t('filter.title')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, '&&': { paddingBlockStart: 1 } }}>
        <Choice
          label={t('filter.state')}
          value={typed.state}
          set={set('state')}
          choices={STATES.map((id) => ({ id, title: t(`filter.states.${id}`) }))}
        />
        <Choice
          label={t('filter.provider')}
          value={typed.provider}
          set={set('provider')}
          choices={providers.map((id) => ({ id, title: printProvider(id) }))}
        />
        <Choice
          label={t('filter.seen')}
          value={typed.seen}
          set={set('seen')}
          choices={SEEN.map((id) => ({ id, title: t(`filter.seens.${id}`) }))}
        />
        <TextField
          label={t('filter.claim')}
          helperText={t('filter.claimHint')}
          value={typed.claim}
          onChange={({ target }) => set('claim')(target.value)}
          slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false, maxLength: 256 } }}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={close}>{shared('cancel')}</Button>
        <Button type="submit" variant="contained">
          {t('filter.apply')}
        </Button>
      </DialogActions>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  readonly choices: readonly { readonly id: string; readonly title: string }[];
}

function Choice({ label, value, set, choices }: ChoiceProps) {
  const { t } = useTranslation('accounts');
  return (
    <TextField
      select
      label={label}
      value={value}
      onChange={({ target }) => set(target.value)}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">{t('filter.any')}</MenuItem>
      {choices.map(({ id, title }) => (
        <MenuItem key={id} value={id}>
          {title}
        </MenuItem>
      ))}
    </TextField>
  );
}
