import SearchIcon from '@mui/icons-material/Search';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useTypedText } from '../../../elements/use-typed-text.ts';
import type { DataPlace } from '../model/use-data-place.ts';

interface SearchFieldProps {
  readonly place: DataPlace;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** Asks for a text to look for at and below the node. */
export function SearchField({ place, field }: SearchFieldProps) {
  const { t } = useTranslation('data');
  const { parameters, set } = place;
  const asked = parameters.get('q') ?? '';
  const [text, setText] = useTypedText(asked);
  return (
    <Box
      component="form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        set({ q: text === '' ? null : text });
      }}
      // Phones have room for the buttons beside it while nothing is looked for.
      sx={{ display: 'flex', gap: 1, flex: { xs: asked === '' ? '1 1 140px' : '1 1 100%', sm: '0 1 auto' } }}
    >
      <TextField
        type="search"
        label={t('search.label')}
        value={text}
        inputRef={field}
        onChange={({ target }) => setText(target.value)}
        slotProps={{
          htmlInput: { dir: 'auto', maxLength: 1_024, spellCheck: false },
          input: {
            startAdornment: (
              <InputAdornment position="start">
                <SearchIcon fontSize="small" />
              </InputAdornment>
            ),
          },
        }}
        sx={{ width: { xs: '100%', sm: 240 } }}
      />
      {asked !== '' && (
        <TextField
          select
          label={t('search.in')}
          value={parameters.get('in') ?? 'both'}
          onChange={({ target }) => set({ in: target.value === 'both' ? null : target.value })}
          sx={{ minWidth: 130 }}
        >
          <MenuItem value="both">{t('search.parts.both')}</MenuItem>
          <MenuItem value="keys">{t('search.parts.keys')}</MenuItem>
          <MenuItem value="values">{t('search.parts.values')}</MenuItem>
        </TextField>
      )}
    </Box>
  );
}
