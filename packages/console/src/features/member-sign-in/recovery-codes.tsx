import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../elements/code-text.tsx';
import { CopyButton } from '../../elements/copy-button.tsx';
import { SignInCard } from './sign-in-card.tsx';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  /** Of the file. */
  readonly name: string;
  readonly done: () => void;
}

/** Shows codes that nobody will show again, to be kept. */
export function RecoveryCodes({ codes, name, done }: RecoveryCodesProps) {
  const { t } = useTranslation('member-sign-in');
  const text = codes.join('\n');
  const file = useMemo(() => URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' })), [text]);
  useEffect(() => () => URL.revokeObjectURL(file), [file]);
  return (
    <SignInCard title={t('codes.title')}>
      <Typography>{t('codes.text')}</Typography>
      <Box
        component="ul"
        aria-label={t('codes.title')}
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 1.5,
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
        }}
      >
        {codes.map((code) => (
          <li key={code}>
            <CodeText>{code}</CodeText>
          </li>
        ))}
      </Box>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
        <Button href={file} download={name} variant="outlined">
          {t('codes.download')}
        </Button>
        <CopyButton text={text} label={t('codes.copy')} />
      </Box>
      <Button variant="contained" size="large" autoFocus onClick={done}>
        {t('codes.done')}
      </Button>
    </SignInCard>
  );
}
