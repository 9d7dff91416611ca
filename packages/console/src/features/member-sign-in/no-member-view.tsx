import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { SignInCard } from './sign-in-card.tsx';

interface NoMemberViewProps {
  readonly project: string;
  readonly name: string;
  readonly leave: () => void;
}

/** For somebody with an account of the project who is no member of it, or is one no more. */
export function NoMemberView({ project, name, leave }: NoMemberViewProps) {
  const { t } = useTranslation('member-sign-in');
  return (
    <SignInCard title={t('noMember.title')}>
      <Typography>{t('noMember.text', { name, project })}</Typography>
      <Button variant="contained" autoFocus onClick={leave}>
        {t('noMember.other')}
      </Button>
    </SignInCard>
  );
}
