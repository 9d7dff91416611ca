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
import { type Command, useCommands } from '../../../shell/commands.ts';
import { Loaded } from '../../../ui/states.tsx';
import { DenialDetail } from './detail.tsx';
import { DenialList } from './list.tsx';
import { DenialSettingsDialog } from './settings-dialog.tsx';
import { useDenials } from './use-denials.ts';

interface DenialFiltersProps {
  readonly path: string | undefined;
  readonly rule: string | undefined;
  readonly set: (filter: { readonly path: string | undefined; readonly rule: string | undefined }) => void;
}

const CODE = { htmlInput: { dir: 'ltr', spellCheck: false } } as const;

/** A form that filters denials by path, and by the location of the deciding rule. */
export function DenialFilters({ path, rule, set }: DenialFiltersProps) {
  const { t } = useTranslation('rules');
  const [typed, setTyped] = useState({ path: path ?? '', rule: rule ?? '' });
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
      <TextField
        label={t('denials.path')}
        value={typed.path}
        slotProps={CODE}
        onChange={({ target }) => setTyped({ ...typed, path: target.value })}
        sx={{ flex: '1 1 9rem' }}
      />
      <TextField
        label={t('denials.rule')}
        value={typed.rule}
        slotProps={CODE}
        onChange={({ target }) => setTyped({ ...typed, rule: target.value })}
        sx={{ flex: '1 1 9rem' }}
      />
      <Button type="submit">{t('denials.apply')}</Button>
      {(path !== undefined || rule !== undefined) && (
        <Button onClick={() => set({ path: undefined, rule: undefined })}>{t('denials.clear')}</Button>
      )}
    </Box>
  );
}

interface DenialsTabProps {
  readonly database: string;
}

/** Shows recent denials of live traffic, with the reasons. */
export function DenialsTab({ database }: DenialsTabProps) {
  const { t } = useTranslation('rules');
  const { item } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const [isChanging, setIsChanging] = useState(false);
  const path = parameters.get('path') ?? undefined;
  const rule = parameters.get('rule') ?? undefined;
  const isLive = parameters.get('live') !== 'paused';
  const { page, stream } = useDenials(database, { path, rule }, isLive);
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
        <DenialFilters key={`${path} ${rule}`} path={path} rule={rule} set={set} />
        <Button startIcon={isLive ? <PauseIcon /> : <LiveIcon />} onClick={toggleLive} aria-pressed={!isLive}>
          {t(isLive ? 'denials.pause' : 'denials.resume')}
        </Button>
        <Button startIcon={<SettingsIcon />} onClick={() => setIsChanging(true)}>
          {t('denials.settings')}
        </Button>
        <Typography role="status" variant="body2" color="textSecondary">
          {t(`denials.live.${isLive ? stream.kind : 'paused'}`)}
        </Typography>
      </Box>
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
            <DenialList
              database={database}
              page={denials}
              chosen={item}
              isFiltered={path !== undefined || rule !== undefined}
            />
            {item !== undefined && <DenialDetail key={item} database={database} id={Number(item)} />}
          </Box>
        )}
      </Loaded>
      <DenialSettingsDialog isOpen={isChanging} database={database} close={() => setIsChanging(false)} />
    </>
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
