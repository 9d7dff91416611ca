import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { useTypedText } from '../../../elements/use-typed-text.ts';
import { MONOSPACE } from '../../../theme.ts';
import type { DataPlace } from '../model/use-data-place.ts';

/** Shows the children of the node from a key on, which need not be one of them. */
export function JumpField({ place }: { readonly place: DataPlace }) {
  const { t } = useTranslation('data');
  const from = place.parameters.get('from') ?? '';
  const [text, setText] = useTypedText(from);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        place.set({ from: text === '' ? null : text, tail: null });
      }}
    >
      <TextField
        size="small"
        label={t('jump.label')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        slotProps={{
          htmlInput: { dir: 'ltr', style: { fontFamily: MONOSPACE }, autoComplete: 'off', spellCheck: false },
          input: {
            endAdornment: (
              <InputAdornment position="end">
                <Button type="submit" size="small" sx={{ minWidth: 0 }}>
                  {t('jump.go')}
                </Button>
              </InputAdornment>
            ),
          },
        }}
        sx={{ width: 220 }}
      />
    </form>
  );
}
