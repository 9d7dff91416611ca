import DoneIcon from '@mui/icons-material/CheckCircleOutlined';
import Avatar from '@mui/material/Avatar';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { LivePage } from '../../server/data.ts';
import { useRights } from '../../session/session.ts';
import { ConnectApp } from './connect-app.tsx';
import { DropFile } from './drop-file.tsx';
import { FirstData } from './first-data.tsx';
import { FirstValueForm } from './first-value-form.tsx';
import { OtherDatabases } from './other-databases.tsx';

interface FirstRunProps {
  readonly database: string;
  readonly page: LivePage;
}

/** Three steps from an empty database to the visitor's own data, here and in their app. */
export function FirstRun({ database, page }: FirstRunProps) {
  const { t } = useTranslation('overview');
  const { mayChange } = useRights();
  const hasData = page.node !== null;
  return (
    <Box
      component="ol"
      sx={{
        listStyle: 'none',
        margin: 0,
        padding: 0,
        display: 'grid',
        gridTemplateColumns: 'minmax(0, 1fr)',
        gap: 3,
        maxWidth: 860,
      }}
    >
      <Step number={1} title={t('first.title')} isDone={hasData}>
        <Typography color="textSecondary">{t(mayChange ? 'first.text' : 'first.viewer')}</Typography>
        {mayChange && (
          <>
            <FirstValueForm database={database} />
            <DropFile database={database} />
          </>
        )}
      </Step>
      <Step number={2} title={t('see.title')} isDone={hasData}>
        <FirstData database={database} page={page} />
        {!hasData && <OtherDatabases database={database} />}
      </Step>
      <Step number={3} title={t('connect.title')} isDone={false}>
        <Typography color="textSecondary">{t('connect.text')}</Typography>
        <ConnectApp database={database} />
      </Step>
    </Box>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

function Step({ number, title, isDone, children }: StepProps) {
  const { t, i18n } = useTranslation('overview');
  return (
    <Box component="li" sx={{ display: 'flex', gap: 2 }}>
      {isDone ? (
        <DoneIcon color="success" titleAccess={t('done')} sx={{ width: 32, height: 32 }} />
      ) : (
        <Avatar aria-hidden sx={{ width: 32, height: 32, fontSize: '1rem', bgcolor: 'primary.main' }}>
          {new Intl.NumberFormat(i18n.language).format(number)}
        </Avatar>
      )}
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column', gap: 1 }}>
        <Typography variant="h2" sx={{ paddingBlockStart: 0.5 }}>
          {title}
        </Typography>
        {children}
      </Box>
    </Box>
  );
}
