import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface DenialFiltersProps {
  readonly path: string | undefined;
  readonly rule: string | undefined;
  readonly set: (filter: { readonly path: string | undefined; readonly rule: string | undefined }) => void;
}

const CODE = { htmlInput: { dir: 'ltr', spellCheck: false } } as const;

/** Which denials are looked at: those below a place, or by the rule of a location. */
export function DenialFilters({ path, rule, set }: DenialFiltersProps) {
  const { t } = useTranslation('rules');
  const [typed, setTyped] = useState({ path: path ?? '', rule: rule ?? '' });
  return (
    <Box
      component="form"
      role="search"
      aria-label={t('denials.filter')}
      onSubmit={(event) => {
        event.preventDefault();
        set(typed);
      }}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, flex: '1 1 22rem' }}
    >
      <TextField
        label={t('denials.path')}
        value={typed.path}
        slotProps={CODE}
        onChange={({ target }) => setTyped({ ...typed, path: target.value })}
        sx={{ flex: '1 1 9rem' }}
      />
      <TextField
        label={t('denials.rule')}
        value={typed.rule}
        slotProps={CODE}
        onChange={({ target }) => setTyped({ ...typed, rule: target.value })}
        sx={{ flex: '1 1 9rem' }}
      />
      <Button type="submit">{t('denials.apply')}</Button>
      {(path !== undefined || rule !== undefined) && (
        <Button onClick={() => set({ path: undefined, rule: undefined })}>{t('denials.clear')}</Button>
      )}
    </Box>
  );
}
