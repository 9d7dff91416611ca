import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link, useRouteError } from 'react-router';
import { Page } from '../ui/page.tsx';
import { Failure } from '../ui/states.tsx';

/** What browsers say when a part of the console cannot be loaded: it was built anew, or the server is away. */
const NOT_LOADED = /dynamically imported module|importing a module script failed/i;

/** In the place of a view that failed in a way that it does not know. */
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
        {/* Not a link of the router, whose state may be what failed. */}
        <Button href="/console/">{t('notFound.home')}</Button>
      </div>
    </Page>
  );
}

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
