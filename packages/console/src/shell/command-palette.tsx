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
import { showControls } from '../ui/text.tsx';
import { type Command, closeOverlay, groupCommands, useCommandRegistry } from './commands.ts';

/**
 * Commands whose title or heading has all words of a text, in any order and case: those first whose title begins with it, then
 * those that have it in the title, else as they come.
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

/** Without case and accents, as people type in a hurry. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
}

/** Most accounts that are offered; whoever looks for another writes more. */
const MAX_ACCOUNTS = 8;

/** A single letter begins too many names. */
const MIN_LENGTH = 2;

/** Long enough that whoever types on is not answered for every letter, in ms. */
const PAUSE_MS = 200;

const NONE: readonly Account[] = [];

/** Accounts of the project whose address, number, user id or name begins with a text. What is typed on is not waited for. */
export function useAccountJumps(text: string): {
  readonly commands: readonly Command[];
  readonly isLoading: boolean;
} {
  const { t } = useTranslation();
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const wanted = text.trim();
  const asked = useSettled(wanted);
  const isWanted = wanted.length >= MIN_LENGTH && !wanted.startsWith('/');
  const isSettled = isWanted && asked === wanted;
  const { data = NONE, isFetching } = useQuery({
    queryKey: ['accounts', project, 'jumps', asked],
    queryFn: ({ signal }) => findAccountsByStart(api, project, asked, MAX_ACCOUNTS, signal),
    enabled: isSettled,
  });
  const commands = useMemo(
    () =>
      // Enter must not open what was found of another text.
      (isSettled ? data : NONE).map(
        (account): Command => ({
          id: `account.${account.localId}`,
          title: titleOf(account),
          group: t('palette.accounts'),
          run: () => void navigate(accountAddress(project, account.localId)),
        }),
      ),
    [t, navigate, project, isSettled, data],
  );
  return { commands, isLoading: isWanted && (isFetching || !isSettled) };
}

/** The text as it was when nothing was typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** By what people know it, and its user id, which no other account has. */
function titleOf({ email, phoneNumber, displayName, localId }: Account): string {
  const names = [email ?? phoneNumber, displayName, localId].filter(
    (name) => name !== undefined && name !== '',
  );
  return showControls(names.join(' · '));
}

/** Most databases that are offered; whoever wants another writes more of its name. */
const MAX_JUMPS = 20;

/** Places to go that a text names: a path of a database, and the databases of the project. */
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
