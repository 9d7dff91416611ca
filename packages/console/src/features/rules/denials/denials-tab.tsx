import PauseIcon from '@mui/icons-material/PauseOutlined';
import LiveIcon from '@mui/icons-material/PlayArrowOutlined';
import SettingsIcon from '@mui/icons-material/TuneOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import type { DenialFilter, DenialPage } from '../../../api/denials.ts';
import type { Loadable } from '../../../api/query-state.ts';
import { type Command, useCommands } from '../../../shell/commands.ts';
import { ChoiceButtons } from '../../../ui/choice-buttons.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { DenialDetail } from './detail.tsx';
import { DenialGroupsView, PERIODS_MS, type Period } from './groups.tsx';
import { DenialList } from './list.tsx';
import { DenialSettingsDialog } from './settings-dialog.tsx';
import { useDenials } from './use-denials.ts';

interface DenialFiltersProps {
  readonly filter: DenialFilter;
  readonly set: (filter: DenialFilter) => void;
}

const FILTERS = ['path', 'rule', 'uid'] as const;

const CODE = { htmlInput: { dir: 'ltr', spellCheck: false } } as const;

/** A form that filters denials by path, by the location of the deciding rule, and by user. */
export function DenialFilters({ filter, set }: DenialFiltersProps) {
  const { t } = useTranslation('rules');
  const [typed, setTyped] = useState(filter);
  return (
    <Box
      component="form"
      role="search"
      aria-label={t('denials.filter')}
      onSubmit={(event) => {
        event.preventDefault();
        set(typed);
      }}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, flex: '1 1 22rem' }}
    >
      {FILTERS.map((name) => (
        <TextField
          key={name}
          label={t(`denials.${name}`)}
          value={typed[name] ?? ''}
          slotProps={CODE}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
          sx={{ flex: '1 1 9rem' }}
        />
      ))}
      <Button type="submit">{t('denials.apply')}</Button>
      {isFiltering(filter) && (
        <Button onClick={() => set({ path: undefined, rule: undefined, uid: undefined })}>
          {t('denials.clear')}
        </Button>
      )}
    </Box>
  );
}

function isFiltering(filter: DenialFilter): boolean {
  return FILTERS.some((name) => filter[name] !== undefined);
}

const VIEWS = ['list', 'rule', 'user'] as const;
const PERIODS = Object.keys(PERIODS_MS) as readonly Period[];

interface DenialsTabProps {
  readonly database: string;
}

/** Shows recent denials of live traffic, with the reasons. */
export function DenialsTab({ database }: DenialsTabProps) {
  const { t } = useTranslation('rules');
  const { item } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const [isChanging, setIsChanging] = useState(false);
  const filter = {
    path: parameters.get('path') ?? undefined,
    rule: parameters.get('rule') ?? undefined,
    uid: parameters.get('uid') ?? undefined,
  };
  const view = VIEWS.find((one) => one === parameters.get('by')) ?? 'list';
  const period = PERIODS.find((one) => one === parameters.get('period')) ?? '24h';
  const isLive = parameters.get('live') !== 'paused';
  const { page, stream } = useDenials(database, filter, isLive && view === 'list');
  const set = (changes: Readonly<Record<string, string | undefined>>): void =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes))
          if (value === undefined || value === '') after.delete(name);
          else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  const toggleLive = (): void => set({ live: isLive ? 'paused' : undefined });
  useDenialCommands(toggleLive, () => setIsChanging(true));
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <DenialFilters key={JSON.stringify(filter)} filter={filter} set={(next) => set({ ...next })} />
        {view === 'list' && (
          <Button
            startIcon={isLive ? <PauseIcon /> : <LiveIcon />}
            onClick={toggleLive}
            aria-pressed={!isLive}
          >
            {t(isLive ? 'denials.pause' : 'denials.resume')}
          </Button>
        )}
        <Button startIcon={<SettingsIcon />} onClick={() => setIsChanging(true)}>
          {t('denials.settings')}
        </Button>
        {view === 'list' && (
          <Typography role="status" variant="body2" color="textSecondary">
            {t(`denials.live.${isLive ? stream.kind : 'paused'}`)}
          </Typography>
        )}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <ChoiceButtons
          label={t('denials.by.label')}
          choices={VIEWS.map((one) => ({ id: one, title: t(`denials.by.${one}`) }))}
          chosen={view}
          choose={(one) => set({ by: one === 'list' ? undefined : one })}
        />
        {view !== 'list' && (
          <ChoiceButtons
            label={t('denials.period.label')}
            choices={PERIODS.map((one) => ({ id: one, title: t(`denials.period.${one}`) }))}
            chosen={period}
            choose={(one) => set({ period: one === '24h' ? undefined : one })}
          />
        )}
      </Box>
      {view === 'list' ? (
        <DenialListView database={database} page={page} chosen={item} isFiltered={isFiltering(filter)} />
      ) : (
        <DenialGroupsView database={database} by={view} period={period} filter={filter} />
      )}
      <DenialSettingsDialog isOpen={isChanging} database={database} close={() => setIsChanging(false)} />
    </>
  );
}

interface DenialListViewProps {
  readonly database: string;
  readonly page: Loadable<DenialPage>;
  readonly chosen: string | undefined;
  readonly isFiltered: boolean;
}

/** Shows the list of denials, and beside it the details of the chosen one. */
function DenialListView({ database, page, chosen, isFiltered }: DenialListViewProps) {
  return (
    <Loaded of={page}>
      {(denials) => (
        <Box
          sx={{
            flex: 1,
            minHeight: 0,
            display: 'flex',
            flexDirection: { xs: 'column', md: 'row' },
            gap: 2,
          }}
        >
          <DenialList database={database} page={denials} chosen={chosen} isFiltered={isFiltered} />
          {chosen !== undefined && <DenialDetail key={chosen} database={database} id={Number(chosen)} />}
        </Box>
      )}
    </Loaded>
  );
}

function useDenialCommands(toggleLive: () => void, openSettings: () => void): void {
  const { t } = useTranslation('rules');
  const [actions] = useState(() => ({ toggleLive, openSettings }));
  actions.toggleLive = toggleLive;
  actions.openSettings = openSettings;
  const commands = useMemo(
    (): readonly Command[] => [
      {
        id: 'rules.pause',
        title: t('denials.pauseOrResume'),
        group: t('commands.group'),
        keys: 'p',
        run: () => actions.toggleLive(),
      },
      {
        id: 'rules.denialSettings',
        title: t('denials.settings'),
        group: t('commands.group'),
        run: () => actions.openSettings(),
      },
    ],
    [t, actions],
  );
  useCommands(commands);
}
