import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { DeferredRender } from './deferred-render.tsx';
import { BAR } from './theme.ts';

interface PageProps {
  /** The heading and the title of the window. */
  readonly title: string;
  /** Actions for the whole page, next to the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A view with its heading; the content fills the remaining height. */
export function Page({ title, actions, children }: PageProps) {
  const { project } = useParams();
  useEffect(() => {
    document.title = [title, project, 'Hearth'].filter((part) => part !== undefined).join(' · ');
  }, [title, project]);
  return (
    <Box
      sx={{
        display: 'flex',
        flexDirection: 'column',
        flex: 1,
        minHeight: 0,
        padding: { xs: 1.5, md: 3 },
        gap: 2,
      }}
    >
      <Box sx={{ ...BAR, ...(actions === undefined || actions === false ? { minHeight: 'auto' } : {}) }}>
        <Typography
          variant="h1"
          sx={{ flex: { xs: '1 1 auto', sm: '1 1 0' }, minWidth: 0, overflowWrap: 'anywhere' }}
        >
          {title}
        </Typography>
        <DeferredRender>{actions}</DeferredRender>
      </Box>
      {children}
    </Box>
  );
}

/** Shown if no view matches the address. */
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
