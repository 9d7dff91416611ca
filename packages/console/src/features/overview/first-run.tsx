import DoneIcon from '@mui/icons-material/CheckCircleOutlined';
import Avatar from '@mui/material/Avatar';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LivePage } from '../../api/data.ts';
import { importError, importFile } from '../../api/data-transfer.ts';
import { dataAddress } from '../../session/addresses.ts';
import { useDatabases } from '../../session/databases.ts';
import { useApi, useProjectId, useRights } from '../../session/session.ts';
import { Failure } from '../../ui/states.tsx';
import { ConnectApp } from './connect-app.tsx';
import { FirstData } from './first-data.tsx';
import { FirstValueForm } from './first-value-form.tsx';

interface DropFileProps {
  readonly database: string;
}

/** Lets the member drop or choose a JSON file, and imports it into an empty database. */
export function DropFile({ database }: DropFileProps) {
  const { t, i18n } = useTranslation('overview');
  const input = useRef<HTMLInputElement>(null);
  const api = useApi();
  const [isOver, setIsOver] = useState(false);
  const [share, setShare] = useState(0);
  const importing = useMutation({
    mutationFn: async (file: File) => {
      setShare(0);
      const steps = importFile(
        api,
        database,
        { path: '/', mode: 'merge', file },
        new AbortController().signal,
      );
      for await (const state of steps) {
        if (state.status === 'failed') throw importError(state);
        setShare(file.size === 0 ? 1 : state.offset / file.size);
      }
    },
  });
  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        const [file] = event.dataTransfer.files;
        if (file !== undefined) importing.mutate(file);
      }}
      sx={{
        padding: 2,
        border: 1,
        borderStyle: 'dashed',
        borderColor: isOver ? 'primary.main' : 'text.secondary',
        borderRadius: 1,
        display: 'flex',
        flexWrap: 'wrap',
        gap: 1,
        alignItems: 'center',
      }}
    >
      <Typography sx={{ flex: 1, minWidth: 160 }}>{t('first.drop')}</Typography>
      <Button variant="outlined" loading={importing.isPending} onClick={() => input.current?.click()}>
        {t('first.choose')}
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        accept="application/json,.json"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) importing.mutate(file);
        }}
      />
      {importing.isPending && (
        <Box sx={{ width: '100%' }}>
          <LinearProgress variant="determinate" value={share * 100} aria-label={t('first.importing')} />
          <Typography variant="body2">
            {new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(share)}
          </Typography>
        </Box>
      )}
      {importing.error !== null && <Failure error={importing.error} />}
    </Box>
  );
}

interface OtherDatabasesProps {
  /** The empty database. */
  readonly database: string;
}

const MAX_SHOWN = 8;
const REFRESH_MS = 5_000;

/** Links to up to `MAX_SHOWN` other databases of the project, because the app may have written to one of them. */
export function OtherDatabases({ database }: OtherDatabasesProps) {
  const { t } = useTranslation('overview');
  const project = useProjectId();
  const { data } = useDatabases(REFRESH_MS);
  const others = (data ?? []).filter((name) => name !== database).slice(0, MAX_SHOWN);
  if (others.length === 0) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
      <Typography color="textSecondary">{t('see.others')}</Typography>
      {others.map((name) => (
        <Button key={name} size="small" component={Link} to={dataAddress(project, name)}>
          <bdi dir="ltr">{name}</bdi>
        </Button>
      ))}
    </Box>
  );
}

interface FirstRunProps {
  readonly database: string;
  readonly page: LivePage;
}

/** Shows the three steps for a new project: add data, view it, and connect an app. */
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
