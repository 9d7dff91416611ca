import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProjectId } from '../../server/project-id.ts';
import { SignInCard } from './sign-in-card.tsx';

interface ProjectFormProps {
  /** A project that was asked for and is not there. */
  readonly unknown: string | undefined;
  readonly choose: (projectId: string) => void;
}

/** Asks which project to sign in to: the server tells strangers no names. */
export function ProjectForm({ unknown, choose }: ProjectFormProps) {
  const { t } = useTranslation('member-sign-in');
  const [id, setId] = useState('');
  return (
    <SignInCard title={t('project.title')}>
      <Typography color="textSecondary">{t('project.text')}</Typography>
      {unknown !== undefined && <Alert severity="error">{t('project.unknown', { project: unknown })}</Alert>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isProjectId(id)) choose(id);
        }}
      >
        <TextField
          autoFocus
          fullWidth
          required
          label={t('project.id')}
          value={id}
          onChange={(event) => setId(event.target.value.trim())}
          slotProps={{ htmlInput: { dir: 'ltr', autoCapitalize: 'none', spellCheck: false } }}
          sx={{ marginBlockEnd: 2 }}
        />
        <Button type="submit" variant="contained" fullWidth disabled={!isProjectId(id)}>
          {t('project.go')}
        </Button>
      </form>
    </SignInCard>
  );
}
