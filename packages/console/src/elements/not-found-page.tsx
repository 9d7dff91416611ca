import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Page } from './page.tsx';

/** There is no view at the address. */
export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <Page title={t('notFound.title')}>
      <Typography>{t('notFound.text')}</Typography>
      <div>
        <Button component={Link} to="/" variant="contained">
          {t('notFound.home')}
        </Button>
      </div>
    </Page>
  );
}
