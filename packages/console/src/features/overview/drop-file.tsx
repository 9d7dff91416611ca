import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../elements/failure.tsx';
import { importFile } from '../../server/data-transfer.ts';
import { useApi } from '../../session/session.ts';

interface DropFileProps {
  readonly database: string;
}

/** Takes a JSON file in as the whole of an empty database: dropped here, or chosen. */
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
      for await (const { offset, status, error } of steps) {
        if (status === 'failed') throw new Error(typeof error === 'string' ? error : error?.message);
        setShare(file.size === 0 ? 1 : offset / file.size);
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
