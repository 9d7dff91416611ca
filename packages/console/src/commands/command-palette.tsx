import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import InputBase from '@mui/material/InputBase';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, useCommandRegistry } from './commands.ts';
import { groupCommands } from './group-commands.ts';
import { KeysText } from './keys-text.tsx';
import { matchCommands } from './match-commands.ts';
import { closeOverlay } from './overlay.ts';
import { useAccountJumps } from './use-account-jumps.ts';
import { useJumps } from './use-jumps.ts';

/** For readers of screens alone. */
const HEARD_ONLY = { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' };

/** Everything that can be done now, and accounts, found by writing. Arrows choose, Enter does it, Escape closes. */
export function CommandPalette() {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onClose={closeOverlay}
      slotProps={{ paper: { 'aria-label': t('palette.title') } }}
      fullWidth
      maxWidth="sm"
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
    >
      <PaletteSearch />
    </Dialog>
  );
}

function PaletteSearch() {
  const { t } = useTranslation();
  const listId = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const registered = useCommandRegistry(({ commands }) => commands);
  const jumps = useJumps(text);
  const accounts = useAccountJumps(text);
  const groups = useMemo(() => {
    const matching = groupCommands(matchCommands(registered, text));
    // Without a text, what the latest view offers comes first.
    const inOrder = text === '' ? matching.toReversed() : matching;
    return [...inOrder, ...groupCommands(jumps), ...groupCommands(accounts.commands)];
  }, [registered, jumps, accounts.commands, text]);
  const found = groups.flatMap(({ commands }) => commands);
  const chosen = found[Math.min(active, found.length - 1)];
  const optionId = (command: Command): string => `${listId}-${command.id}`;

  function run(command: Command): void {
    closeOverlay();
    // After the dialog has given the keyboard back, so that a command may take it elsewhere.
    setTimeout(() => command.run());
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setActive((Math.min(active, found.length - 1) + step + found.length) % found.length);
    } else if (event.key === 'Enter' && chosen !== undefined && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(chosen);
    }
  }
  return (
    <>
      <InputBase
        autoFocus
        fullWidth
        placeholder={t('palette.hint')}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        sx={{ padding: 2, borderBlockEnd: 1, borderColor: 'divider', fontSize: '1.0625rem' }}
        slotProps={{
          input: {
            role: 'combobox',
            'aria-label': t('palette.title'),
            'aria-expanded': true,
            'aria-controls': listId,
            'aria-autocomplete': 'list',
            ...(chosen === undefined ? {} : { 'aria-activedescendant': optionId(chosen) }),
          },
        }}
      />
      {/* Room is kept for it, so that nothing moves. */}
      <Box sx={{ height: 4, marginBlockStart: '-4px' }}>
        {accounts.isLoading && <LinearProgress aria-label={t('palette.searching')} />}
      </Box>
      <Box
        id={listId}
        role="listbox"
        aria-label={t('palette.title')}
        sx={{ overflow: 'auto', padding: 1, minHeight: 120, maxHeight: '60dvh' }}
      >
        {groups.map(({ name, commands }) => (
          <Box key={name} role="group" aria-label={name}>
            <Typography
              variant="caption"
              component="div"
              color="textSecondary"
              aria-hidden
              sx={{ paddingInline: 1.5, paddingBlockStart: 1, fontWeight: 600 }}
            >
              {name}
            </Typography>
            {commands.map((command) => (
              <PaletteOption
                key={command.id}
                id={optionId(command)}
                command={command}
                isActive={command === chosen}
                run={() => run(command)}
              />
            ))}
          </Box>
        ))}
      </Box>
      <Box role="status" sx={found.length === 0 ? { padding: 2, paddingBlockStart: 0 } : HEARD_ONLY}>
        {!accounts.isLoading && text !== '' && (
          <Typography color="textSecondary">
            {found.length === 0 ? t('palette.nothing') : t('palette.count', { count: found.length })}
          </Typography>
        )}
      </Box>
    </>
  );
}

interface PaletteOptionProps {
  readonly id: string;
  readonly command: Command;
  readonly isActive: boolean;
  run(): void;
}

function PaletteOption({ id, command, isActive, run }: PaletteOptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // The field has the keyboard: an option is only pointed at.
    <Box
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      onClick={run}
      sx={{
        display: 'flex',
        gap: 2,
        alignItems: 'center',
        paddingInline: 1.5,
        paddingBlock: 0.75,
        borderRadius: 1,
        cursor: 'pointer',
        backgroundColor: isActive ? 'action.selected' : undefined,
        '&:hover': { backgroundColor: 'action.hover' },
      }}
    >
      <Typography component="bdi" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        {command.title}
      </Typography>
      {command.keys !== undefined && <KeysText keys={command.keys} />}
    </Box>
  );
}
