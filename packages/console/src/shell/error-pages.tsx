import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link, useRouteError } from 'react-router';
import { Page } from '../ui/page.tsx';
import { Failure } from '../ui/states.tsx';

/**
 * Matches browser errors for a script that cannot be loaded, because the console was updated or the server is unreachable.
 */
const NOT_LOADED = /dynamically imported module|importing a module script failed/i;

/** Shown instead of a view that threw an unexpected error. */
export function ErrorPage() {
  const { t } = useTranslation();
  const error = useRouteError();
  const isStale = error instanceof Error && NOT_LOADED.test(error.message);
  return (
    <Page title={t(isStale ? 'errorPage.stale' : 'errorPage.title')}>
      {isStale ? <Typography>{t('errorPage.staleText')}</Typography> : <Failure error={error} />}
      <div>
        <Button variant="contained" onClick={() => location.reload()} sx={{ marginInlineEnd: 1 }}>
          {t('errorPage.reload')}
        </Button>
        {/* A full page load, because the router state may be the cause. */}
        <Button href="/console/">{t('notFound.home')}</Button>
      </div>
    </Page>
  );
}

interface OtherProjectPageProps {
  readonly project: string;
}

/** Shown instead of a view of a project that the member is not signed in to. */
export function OtherProjectPage({ project }: OtherProjectPageProps) {
  const { t } = useTranslation();
  return (
    <Page title={t('otherProject.title', { project })}>
      <Typography>{t('otherProject.text')}</Typography>
      <div>
        {/* A reload shows the sign-in of the project in the address. */}
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
