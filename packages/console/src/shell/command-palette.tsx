import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import InputBase from '@mui/material/InputBase';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type Account, findAccountsByStart } from '../api/accounts.ts';
import { accountAddress, dataAddress } from '../session/addresses.ts';
import { mainDatabaseOf, useDatabaseId, useDatabases } from '../session/databases.ts';
import { useApi, useProjectId } from '../session/session.ts';
import { KeysText } from '../ui/keys.tsx';
import { HEARD_ONLY, showControls } from '../ui/text.tsx';
import { type Command, closeOverlay, groupCommands, useCommandRegistry } from './commands.ts';

/**
 * Returns the commands whose title or group contains all words of a text, in any order and case. Titles that start with the
 * text come first, then titles that contain all words, then the others.
 */
export function matchCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return commands;
  const wanted = words.join(' ');
  const rank = (command: Command): number => {
    const title = fold(command.title);
    if (title.startsWith(wanted)) return 0;
    return words.every((word) => title.includes(word)) ? 1 : 2;
  };
  return commands
    .filter(({ title, group }) => words.every((word) => fold(`${group} ${title}`).includes(word)))
    .toSorted((left, right) => rank(left) - rank(right));
}

/** Returns a text in lowercase and without accents. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
}

/** Maximum number of suggested accounts. */
const MAX_ACCOUNTS = 8;

/** Minimum length of a text for which accounts are suggested, because too many names start with the same letter. */
const MIN_LENGTH = 2;

/** Delay after the last key press, so that not every letter sends a request, in milliseconds. */
const PAUSE_MS = 200;

const NONE: readonly Account[] = [];

/** Suggests accounts by the beginning of their email, phone number, user ID or a word of their name, after a typing pause. */
export function useAccountJumps(text: string): {
  readonly commands: readonly Command[];
  readonly isLoading: boolean;
} {
  const { t } = useTranslation();
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const wanted = text.trim();
  const settled = useSettled(wanted);
  const isWanted = wanted.length >= MIN_LENGTH && !wanted.startsWith('/');
  const isSettled = isWanted && settled === wanted;
  const { data = NONE, isFetching } = useQuery({
    queryKey: ['accounts', project, 'jumps', settled],
    queryFn: ({ signal }) => findAccountsByStart(api, project, settled, MAX_ACCOUNTS, signal),
    enabled: isSettled,
  });
  const commands = useMemo(
    () =>
      // Enter must not open a match of an earlier text.
      (isSettled ? data : NONE).map(
        (account): Command => ({
          id: `account.${account.localId}`,
          title: titleOf(account),
          group: t('palette.accounts'),
          run: () => void navigate(accountAddress({ project }, account.localId)),
        }),
      ),
    [t, navigate, project, isSettled, data],
  );
  return { commands, isLoading: isWanted && (isFetching || !isSettled) };
}

/** Returns the text after a typing pause. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Returns the names of an account and its unique user ID. */
function titleOf({ email, phoneNumber, displayName, localId }: Account): string {
  const names = [email ?? phoneNumber, displayName, localId].filter(
    (name) => name !== undefined && name !== '',
  );
  return showControls(names.join(' · '));
}

/** Maximum number of suggested databases. */
const MAX_JUMPS = 20;

/** Suggests a text that begins with `/` as a path, and otherwise the databases of the project that match the text. */
export function useJumps(text: string): readonly Command[] {
  const { t } = useTranslation();
  const project = useProjectId();
  const current = useDatabaseId();
  const navigate = useNavigate();
  const { data: databases } = useDatabases();
  return useMemo(() => {
    const group = t('palette.data');
    const open = (database: string, path: string): Command => ({
      id: `jump.${database}${path}`,
      title: path === '/' ? database : `${database} ${path}`,
      group,
      run: () => void navigate(dataAddress(project, database, path)),
    });
    if (text.startsWith('/') && text.length > 1) return [open(current ?? mainDatabaseOf(project), text)];
    const all = (databases ?? []).map((name) => open(name, '/'));
    return matchCommands(all, text).slice(0, MAX_JUMPS);
  }, [t, navigate, project, current, databases, text]);
}

/** Searches commands, accounts and databases. Arrow keys select, Enter runs, Escape closes. */
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
    // Without a text, the commands of the innermost view come first.
    const inOrder = text === '' ? matching.toReversed() : matching;
    return [...inOrder, ...groupCommands(jumps), ...groupCommands(accounts.commands)];
  }, [registered, jumps, accounts.commands, text]);
  const found = groups.flatMap(({ commands }) => commands);
  const chosen = found[Math.min(active, found.length - 1)];
  const optionId = (command: Command): string => `${listId}-${command.id}`;

  function run(command: Command): void {
    closeOverlay();
    // Runs after the dialog has restored the focus, so that the command can move it.
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
      {/* Fixed height, so that the layout does not shift. */}
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
    // The field keeps the focus; the option is only marked as active.
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
      <Typography component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <bdi>{command.title}</bdi>
      </Typography>
      {command.keys !== undefined && <KeysText keys={command.keys} />}
    </Box>
  );
}
