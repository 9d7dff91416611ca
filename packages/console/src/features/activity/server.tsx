import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readServerActivity, type ServerActivity } from '../../api/activity.ts';
import { loadableOf } from '../../api/query-state.ts';
import { useApi } from '../../session/session.ts';
import { Loaded } from '../../ui/states.tsx';
import { FigureGrid } from '../../ui/tables.tsx';
import { printBytes } from '../../ui/text.tsx';
import { printDuration, printFigure } from './figures.ts';

const REFRESH_MS = 2_000;

/** Shows the resource use of the server: processor, memory, storage. */
export function ServerSection() {
  const api = useApi();
  const query = useQuery({
    queryKey: ['server-activity'],
    queryFn: () => readServerActivity(api),
    refetchInterval: REFRESH_MS,
  });
  return <Loaded of={loadableOf(query)}>{(server) => <ServerFigures server={server} />}</Loaded>;
}

function ServerFigures({ server }: { readonly server: ServerActivity }) {
  const { t, i18n } = useTranslation('activity');
  const { cpu, memory, eventLoop, store, disk, uptimeSec } = server;
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' });
  const bytes = (count: number): string => printBytes(count, i18n.language);
  const figures = {
    uptime: printDuration(uptimeSec, i18n.language),
    cpu: percent.format(cpu.share),
    memory: bytes(memory.residentBytes),
    heap: bytes(memory.heapUsedBytes),
    busy: percent.format(eventLoop.busyShare),
    delay: printFigure(eventLoop.longestDelayMs, 'ms', i18n.language),
    storeUsed: bytes(store.usedBytes),
    storeFree: bytes(store.freeBytes),
    diskFree: bytes(disk.freeBytes),
  };
  const usedShare = disk.totalBytes === 0 ? 0 : 1 - disk.freeBytes / disk.totalBytes;
  const diskText = t('server.disk', { share: percent.format(usedShare), total: bytes(disk.totalBytes) });
  return (
    <>
      <FigureGrid
        figures={Object.entries(figures).map(([name, text]) => ({
          name: t(`server.${name as keyof typeof figures}`),
          text,
        }))}
      />
      <Typography>{diskText}</Typography>
      <LinearProgress
        variant="determinate"
        value={usedShare * 100}
        aria-label={diskText}
        sx={{ height: 8, borderRadius: 1 }}
      />
    </>
  );
}
