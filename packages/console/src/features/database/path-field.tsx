import Box from '@mui/material/Box';
import InputBase from '@mui/material/InputBase';
import Paper from '@mui/material/Paper';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readChildPage } from '../../api/data.ts';
import { useApi } from '../../session/session.ts';
import { useIsHere } from '../../ui/interaction.ts';
import { showControls } from '../../ui/text.tsx';
import {
  joinPath,
  lastKeyOf,
  type NodePath,
  parentOf,
  parseTypedPath,
  ROOT_PATH,
} from './model/node-path.ts';

/** Maximum number of keys that complete the typed text. */
const MAX_COMPLETIONS = 8;
/** Delay in ms after typing before keys are requested. */
const TYPING_MS = 120;

/** The nodes whose paths begin with a text. */
interface Completions {
  readonly text: string;
  readonly paths: readonly NodePath[];
}

/** Returns the nodes whose paths begin with the typed text: the children of its last complete node. */
function useCompletions(database: string, text: string): readonly NodePath[] {
  const api = useApi();
  const [found, setFound] = useState<Completions>({ text: '', paths: [] });
  useEffect(() => {
    if (!text.includes('/') || text.includes(':')) return;
    const abort = new AbortController();
    const timer = setTimeout(() => void complete().catch(() => {}), TYPING_MS);
    async function complete(): Promise<void> {
      const typed = parseTypedPath(text);
      const isWhole = text.endsWith('/');
      const parent = isWhole ? typed : parentOf(typed);
      const start = isWhole ? '' : lastKeyOf(typed);
      const position = start === '' ? ({ kind: 'first' } as const) : ({ kind: 'from', key: start } as const);
      const request = { path: parent, position, limit: MAX_COMPLETIONS };
      const { children } = await readChildPage(api, database, request, abort.signal);
      const keys = children.map(({ key }) => key).filter((key) => key.startsWith(start) && key !== start);
      if (!abort.signal.aborted) setFound({ text, paths: keys.map((key) => joinPath(parent, key)) });
    }
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [api, database, text]);
  return found.text === text ? found.paths : [];
}

interface PathFieldProps {
  readonly database: string;
  readonly path: NodePath;
  readonly go: (path: NodePath) => void;
  readonly close: () => void;
}

/**
 * A field for a path, which completes keys. If nothing is at the path, it shows a notice, and opens the path when the
 * user presses Enter again.
 */
export function PathField({ database, path, go, close }: PathFieldProps) {
  const { t } = useTranslation('data');
  const api = useApi();
  const isHere = useIsHere();
  const listId = useId();
  const [text, setText] = useState<string>(path);
  const [active, setActive] = useState(-1);
  const [absent, setAbsent] = useState<NodePath | null>(null);
  const [isChanged, setChanged] = useState(false);
  const [isChecking, setChecking] = useState(false);
  const found = useCompletions(database, text);
  const paths = isChanged ? found : [];

  function change(next: string): void {
    setText(next);
    setChanged(true);
    setActive(-1);
    setAbsent(null);
  }
  async function open(): Promise<void> {
    const to = parseTypedPath(text);
    const isKnown = to === ROOT_PATH || to === absent;
    setChecking(true);
    const isAbsent = !isKnown && (await isNothingAt(to));
    if (!isHere()) return;
    setChecking(false);
    if (isAbsent) return setAbsent(to);
    close();
    go(to);
  }
  /** Returns whether nothing is at a path; false if the server does not say, because the view shows the reason. */
  async function isNothingAt(to: NodePath): Promise<boolean> {
    try {
      const request = { path: to, position: { kind: 'first' }, limit: 1 } as const;
      return (await readChildPage(api, database, request)).node === null;
    } catch {
      return false;
    }
  }
  function takeKey(event: KeyboardEvent): void {
    const { key } = event;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && paths.length > 0) {
      event.preventDefault();
      setActive((active + step + paths.length + (active < 0 && step < 0 ? 1 : 0)) % paths.length);
    } else if (key === 'Escape') close();
    else if (key === 'Enter') {
      const chosen = paths[active];
      if (chosen !== undefined) change(chosen);
      else if (!isChecking) void open();
    }
  }
  return (
    <>
      <InputBase
        autoFocus
        fullWidth
        readOnly={isChecking}
        value={text}
        onChange={({ target }) => change(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={close}
        onKeyDown={takeKey}
        inputProps={{
          'aria-label': t('path.field'),
          'aria-autocomplete': 'list',
          'aria-expanded': paths.length > 0,
          'aria-controls': paths.length > 0 ? listId : undefined,
          'aria-activedescendant': active >= 0 ? `${listId}-${active}` : undefined,
          role: 'combobox',
          autoComplete: 'off',
          dir: 'ltr',
          spellCheck: false,
        }}
        sx={{ font: 'inherit' }}
      />
      {(paths.length > 0 || absent !== null) && (
        <Paper
          elevation={4}
          sx={{
            position: 'absolute',
            insetBlockStart: '100%',
            insetInline: 0,
            zIndex: 'modal',
            padding: 0.5,
          }}
        >
          {absent !== null && (
            <Box role="alert" sx={{ padding: 1, color: 'error.main' }}>
              {t('path.absent')}
            </Box>
          )}
          {paths.length > 0 && (
            <Box id={listId} role="listbox" aria-label={t('path.completions')} dir="ltr">
              {paths.map((one, index) => (
                <Box
                  key={one}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  // The field keeps the focus.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => change(one)}
                  sx={{
                    padding: 0.75,
                    overflowWrap: 'anywhere',
                    cursor: 'pointer',
                    backgroundColor: index === active ? 'action.selected' : undefined,
                    '&:hover': { backgroundColor: 'action.hover' },
                  }}
                >
                  {showControls(one)}
                </Box>
              ))}
            </Box>
          )}
        </Paper>
      )}
    </>
  );
}
