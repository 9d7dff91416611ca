import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { HASH_ALGORITHMS, type HashChoice } from './hash-algorithms.ts';

interface HashFormProps {
  readonly hash: HashChoice;
  readonly setHash: (hash: HashChoice) => void;
}

/** How the passwords of a file are hashed, by the names that Firebase shows for it. */
export function HashForm({ hash, setHash }: HashFormProps) {
  const { t } = useTranslation('accounts');
  const fields = HASH_ALGORITHMS[hash.algorithm] ?? [];
  return (
    <>
      <Typography variant="body2" color="textSecondary">
        {t('import.hashAbout')}
      </Typography>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <TextField
          select
          label={t('import.algorithm')}
          value={hash.algorithm}
          onChange={(event) => setHash({ algorithm: event.target.value, values: {} })}
        >
          {Object.keys(HASH_ALGORITHMS).map((name) => (
            <MenuItem key={name} value={name}>
              <bdi dir="ltr">{name}</bdi>
            </MenuItem>
          ))}
        </TextField>
        {fields.map(({ name, kind, initial }) => (
          <TextField
            key={name}
            label={t(`hash.${name}`)}
            value={hash.values[name] ?? initial}
            onChange={(event) => setHash({ ...hash, values: { ...hash.values, [name]: event.target.value } })}
            slotProps={{
              htmlInput: { dir: 'ltr', inputMode: kind === 'number' ? 'numeric' : 'text', spellCheck: false },
            }}
          />
        ))}
      </Box>
    </>
  );
}
