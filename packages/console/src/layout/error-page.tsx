import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { Failure } from '../elements/failure.tsx';
import { Page } from '../elements/page.tsx';

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
