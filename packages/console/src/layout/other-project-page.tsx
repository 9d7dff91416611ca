import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Page } from '../elements/page.tsx';

interface OtherProjectPageProps {
  readonly project: string;
}

/** In the place of a view of a project that whoever signed in did not sign in to. */
export function OtherProjectPage({ project }: OtherProjectPageProps) {
  const { t } = useTranslation();
  return (
    <Page title={t('otherProject.title', { project })}>
      <Typography>{t('otherProject.text')}</Typography>
      <div>
        {/* Loads the console anew, which asks for the sign-in that the address needs. */}
        <Button variant="contained" onClick={() => location.reload()} sx={{ marginInlineEnd: 1 }}>
          {t('otherProject.signIn')}
        </Button>
        <Button component={Link} to="/">
          {t('notFound.home')}
        </Button>
      </div>
    </Page>
  );
}
