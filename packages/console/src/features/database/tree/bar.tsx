import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import PauseIcon from '@mui/icons-material/Pause';
import LiveIcon from '@mui/icons-material/PlayArrow';
import TailIcon from '@mui/icons-material/VerticalAlignBottom';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectivity } from '../../../api/client.ts';
import { useCommands } from '../../../shell/commands.ts';
import { DeferredRender } from '../../../ui/deferred-render.tsx';
import { useTypedText } from '../../../ui/interaction.ts';
import { BAR } from '../../../ui/theme.ts';
import { Hint } from '../../../ui/tooltip.tsx';
import type { DataLocation } from '../model/location.ts';
import { ChildCount } from './child-count.tsx';
import type { TreeSelection } from './navigation.ts';
import type { TreeConnection, TreeModel } from './tree-model.ts';

/** A field for a key: after submitting, the tree begins with this key. The key need not exist. */
function JumpField({ location }: { readonly location: DataLocation }) {
  const { t } = useTranslation('data');
  const from = location.parameters.get('from') ?? '';
  const [text, setText] = useTypedText(from);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        location.set({ from: text === '' ? null : text, tail: null });
      }}
    >
      <TextField
        size="small"
        label={t('jump.label')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        slotProps={{
          htmlInput: { dir: 'ltr', style: { fontFamily: MONOSPACE }, autoComplete: 'off', spellCheck: false },
          input: {
            endAdornment: (
              <InputAdornment position="end">
                <Button type="submit" size="small" sx={{ minWidth: 0 }}>
                  {t('jump.go')}
                </Button>
              </InputAdornment>
            ),
          },
        }}
        sx={{ width: 220 }}
      />
    </form>
  );
}

interface TreeBarProps {
  readonly location: DataLocation;
  readonly model: TreeModel;
  readonly connection: TreeConnection;
  readonly selection: TreeSelection;
  /** Whether the node is a primitive value, which has no children. */
  readonly isValue: boolean;
  readonly mayChange: boolean;
  readonly add: () => void;
  readonly remove: () => void;
}

/** The toolbar of the tree: connection state, position, number of children, and actions on the selection. */
export function TreeBar(props: TreeBarProps) {
  const { location, model, selection, isValue, mayChange, add, remove } = props;
  const { t, i18n } = useTranslation('data');
  const isOffline = useConnectivity(({ kind }) => kind === 'offline');
  // A server that hangs ends no stream, but does not respond to health checks.
  const connection = isOffline && props.connection === 'live' ? 'lost' : props.connection;
  const { set, parameters } = location;
  const isPaused = parameters.get('live') === 'false';
  const isTail = location.position.kind === 'last';
  useEffect(() => model.pause(isPaused), [model, isPaused]);
  const commands = useMemo(
    () => [
      {
        id: 'data.pause',
        title: t(isPaused ? 'live.resume' : 'live.pause'),
        group: t('title'),
        keys: 'p',
        run: () => set({ live: isPaused ? null : 'false' }),
      },
      {
        id: 'data.tail',
        title: t(isTail ? 'live.leaveTail' : 'live.tail'),
        group: t('title'),
        keys: 't',
        run: () => set({ tail: isTail ? null : 'true', from: null }),
      },
    ],
    [t, set, isPaused, isTail],
  );
  useCommands(commands);
  const selected = selection.paths.size;
  return (
    <Box role="toolbar" aria-label={t('bar.label')} sx={BAR}>
      <DeferredRender>
        <Hint title={t(`live.${connection}Hint`)}>
          <Chip
            size="small"
            variant="outlined"
            color={connection === 'live' ? 'success' : 'warning'}
            label={t(`live.${connection}`)}
            role="status"
          />
        </Hint>
        <Hint title={t(isPaused ? 'live.resume' : 'live.pause')}>
          <ToggleButton
            size="small"
            value="pause"
            selected={isPaused}
            aria-label={t('live.pause')}
            onChange={() => set({ live: isPaused ? null : 'false' })}
          >
            {isPaused ? <LiveIcon fontSize="small" /> : <PauseIcon fontSize="small" />}
          </ToggleButton>
        </Hint>
        <Hint title={t('live.tail')}>
          <ToggleButton
            size="small"
            value="tail"
            selected={isTail}
            aria-label={t('live.tail')}
            onChange={() => set({ tail: isTail ? null : 'true', from: null })}
          >
            <TailIcon fontSize="small" />
          </ToggleButton>
        </Hint>
        <JumpField location={location} />
        {!isValue && (
          <ChildCount
            model={model}
            database={location.database}
            path={location.path}
            isLive={connection === 'live'}
          />
        )}
        <Box sx={{ flex: 1 }} />
        {selected > 1 && mayChange && (
          <Button color="error" startIcon={<DeleteIcon />} onClick={remove}>
            {t('remove.selected', { count: selected, number: selected.toLocaleString(i18n.language) })}
          </Button>
        )}
        {mayChange && (
          <Button variant="contained" startIcon={<AddIcon />} onClick={add}>
            {t('add.title')}
          </Button>
        )}
      </DeferredRender>
    </Box>
  );
}
